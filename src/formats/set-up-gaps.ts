/** What the worktrees and checkouts of a run lack, although their set-up did not fail. In the state and in a pack. */
import { z } from 'zod';

export const setUpGaps = {
  failed_builds: z
    .array(z.string())
    .optional()
    .describe(
      'parts of workspace.setup that fail on base: the run, its tests and its checks go without them',
    ),
  missing_requirements: z
    .array(z.string())
    .optional()
    .describe('requirements that the set-up could not install, because they are not available'),
} as const;
