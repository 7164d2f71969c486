/** A role of its own between verify and gate: somebody looks at the change for nothing but its security. */
import { z } from 'zod';

const findings = z.array(
  z.strictObject({
    severity: z.enum(['critical', 'high', 'medium', 'low']),
    file: z.string().min(1),
    line: z.int().positive().optional(),
    problem: z.string().min(1),
    remedy: z.string().min(1),
  }),
);

const INSTRUCTIONS = `
You review the change for its security and for nothing else. You change no code and no test.

- Follow every input that the change reads to where it is used: paths, commands, queries, markup, numbers, sizes.
- Look at what it writes and opens: permissions, secrets in files and logs, addresses it talks to, what it trusts.
- Look at every dependency that came in: who needs it, what it may do.
- Report only what you can show by file and line, with the way to exploit it and the way to repair it. An empty list is a good result when you have really looked; say in the report at what.

The Gatekeeper reads your findings. A critical or high one should keep the change from being merged.
`;

export default async () => ({
  name: 'role-security',
  roles: [
    {
      name: 'security',
      phase: 'security',
      after: 'verify',
      model: 'sonnet',
      timeout: 300_000,
      output: [
        { file: 'security/report.md', about: 'what you looked at, how, and what you found' },
        { file: 'security/findings.json', about: 'one entry for each finding', shape: findings },
      ],
      prompt: ({ run }) =>
        run.iteration > 1
          ? `${INSTRUCTIONS}\nSee as well whether earlier findings were repaired.`
          : INSTRUCTIONS,
    },
  ],
});
