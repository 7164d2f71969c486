/** What one of Dure's own launches needs to set up a checkout; part of its job file. */
import { z } from 'zod';

/** How checkouts for tests and checks are created. */
export const checkoutSettings = {
  directory: z.string().describe('workspace.directory'),
  copy: z.array(z.string()).describe('workspace.copy'),
  network: z.boolean().describe('proof.network'),
};

export const workspaceJob = z.strictObject({
  project: z.string().describe('folder that contains .dure/'),
  repository: z.strictObject({
    gitDir: z.string(),
    commonDir: z.string(),
    workTree: z.string(),
    prefix: z.string(),
    shadow: z.boolean(),
    filters: z.record(z.string(), z.string()).optional().describe('git filter settings when the run started'),
  }),
  state: z.string().describe("Dure's state folder, outside the project"),
  setup: z.string().nullable().describe('workspace.setup'),
  ...checkoutSettings,
});
export type WorkspaceJob = z.infer<typeof workspaceJob>;
