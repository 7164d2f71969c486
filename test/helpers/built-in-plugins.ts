/** The built-in plugins and backends, from their sources. */
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import verdicts from '../../plugins/verdicts/src/index.ts';
import { claude } from '../../src/agents/backends/claude.ts';
import { rehearsal } from '../../src/agents/backends/rehearsal.ts';

export const BUILT_IN_PLUGINS = [
  { plugin: 'built-in-roles', load: builtInRoles, builtIn: true },
  { plugin: 'verdicts', load: verdicts, builtIn: true },
];
export const BUILT_IN_BACKENDS = [claude, rehearsal];
