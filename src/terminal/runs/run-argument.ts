/** The argument `RUN`, shared by all commands that act on one run. */
import { Args } from '@oclif/core';

export const RUN_ARGUMENT = {
  run: Args.string({
    ignoreStdin: true,
    description:
      'Run id, or at least four digits with which it, or the time in it, begins, such as 1422. Default: the newest run.',
  }),
};
