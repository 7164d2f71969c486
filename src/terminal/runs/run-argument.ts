/** The argument `RUN`, shared by all commands that act on one run. */
import { Args } from '@oclif/core';

export const RUN_ARGUMENT = {
  run: Args.string({
    ignoreStdin: true,
    description:
      'Run id, or the first digits (at least four) of its date or time (UTC), such as 1422 for run-20260131-142233. Default: the newest run.',
  }),
};
