/** The variables of Dure's own environment that set-ups, tests and checks get. */
import { LAUNCH_MARKS } from '../formats/launch.ts';
import { pickVariables } from './pick-variables.ts';
import { type Env, toolchainVariables } from './sandbox/toolchain.ts';

/**
 * HOME is included because toolchains may be below it; the process that runs the command replaces it with an empty
 * folder. The marks of the launch are included so that its processes can be found and killed if its runner was killed.
 */
export const inheritedEnvironment = (env: Env): Record<string, string> => ({
  ...toolchainVariables(env),
  ...pickVariables(env, name => name === 'HOME' || LAUNCH_MARKS.some(mark => mark === name)),
  LANG: env['LANG'] || 'C.UTF-8',
});
