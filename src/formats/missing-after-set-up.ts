/** What the worktrees and checkouts of a run lack, although their set-up did not fail. Recorded in the state and in a pack. */
import { z } from 'zod';

const missingFiles = z.strictObject({
  submodules: z.array(z.string()).describe('not checked out, so their folders are empty'),
  filters: z
    .array(z.strictObject({ name: z.string(), files: z.int().positive() }))
    .describe(
      'git has no settings for them, so their files are as git stores them, such as pointers of Git LFS',
    ),
});
export type MissingFiles = z.infer<typeof missingFiles>;

export const missingAfterSetUp = {
  failed_builds: z
    .array(z.string())
    .optional()
    .describe(
      'parts of workspace.setup that fail on base: the run, its tests and its checks do without them',
    ),
  missing_requirements: z
    .array(z.string())
    .optional()
    .describe('requirements that the set-up could not install, because they are not available'),
  missing_files: missingFiles
    .optional()
    .describe('files of the base commit that worktrees and checkouts do not contain'),
} as const;
