/** The built-in plugins and backends, from their sources. */
import agents from '../../plugins/agents/src/index.ts';
import verdicts from '../../plugins/verdicts/src/index.ts';
import { claude } from '../../src/agents/backends/claude.ts';
import { rehearsal } from '../../src/agents/backends/rehearsal.ts';

export const BUILT_IN_PLUGINS = [
  { plugin: 'agents', load: agents, builtIn: true },
  { plugin: 'verdicts', load: verdicts, builtIn: true },
];
export const BUILT_IN_BACKENDS = [claude, rehearsal];
