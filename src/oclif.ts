/** The hook of a plugin, for who types it with oclif's own `Hook<'dure'>`: `import type {} from 'dure/oclif'`. */
import type {} from '@oclif/core/hooks';
import type { Plugin } from './index.ts';

declare module '@oclif/core/hooks' {
  interface Hooks {
    dure: { options: Record<string, never>; return: Plugin };
  }
}
