/** The agent sandbox: its mode, and what one launch sees in it. */
import { z } from 'zod';

/** `standard` hides the user's files; `strict` also blocks the network, except for the hosts that are allowed. */
export const agentSandboxMode = z.enum(['strict', 'standard']);
/** The values of the setting `sandbox.mode`. */
export const SANDBOX_MODES = [...agentSandboxMode.options, 'off'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** All paths are absolute unless stated otherwise. */
export const launchSandbox = z.strictObject({
  mode: agentSandboxMode,
  program: z.string().describe('bubblewrap'),
  namespaces: z
    .array(z.literal('--unshare-user'))
    .describe('extra bubblewrap options that this machine needs'),
  folder: z.string().describe('private folder of the role in this run, with the home of its agents'),
  readable: z.array(z.string()),
  writable: z.array(z.string()),
  hidden: z
    .array(z.string())
    .describe('folders that are empty and read-only, except for listed paths in them'),
  empty: z.array(z.string()).describe('folders that start empty and whose content is discarded'),
  replaced: z.record(z.string(), z.string()).default({}).describe('files whose content is replaced, by path'),
  login: z
    .array(z.strictObject({ from: z.string(), to: z.string() }))
    .describe('files copied into the home (`to` is relative to it), and copied back if the CLI changed them'),
  files: z.record(z.string(), z.string()).describe('files created in the home, by path'),
  hosts: z.array(z.string()).describe('hosts that the agent can reach in `strict` mode: host or host:port'),
});
export type LaunchSandbox = z.infer<typeof launchSandbox>;
