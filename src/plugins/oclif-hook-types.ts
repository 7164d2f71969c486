/** Types for authors who declare the hook with oclif's `Hook<'dure'>`: `import type {} from 'dure/oclif'`. */
import type {} from '@oclif/core/hooks';
import type { Plugin } from '../index.ts';

declare module '@oclif/core/hooks' {
  interface Hooks {
    dure: { options: Record<string, never>; return: Plugin };
  }
}
