/** The argument `RUN`, shared by all commands that act on one run. */
import { Args } from '@oclif/core';

export const RUN_ARGUMENT = {
  run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
};
