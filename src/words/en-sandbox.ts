/** English messages about sandboxes. */

export const enSandbox = {
  inside: (what: string) => `in a sandbox (${what})`,
  without: (why: string) => `The tests ran without a sandbox: ${why}.`,
  agentsWithout: 'Agents: without a sandbox, with your permissions.',
};
