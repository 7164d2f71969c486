/** A role between verify and gate that reviews the security of the change. */
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
You review only the security of the change. Change no code and no test.

- Follow every input that the change reads to where it is used: paths, commands, queries, markup, numbers, sizes.
- Check what it writes and opens: permissions, secrets in files and logs, addresses it connects to, what it trusts.
- Check every new dependency: why it is needed, and what it can do.
- Report only what you can show by file and line, with the way to exploit it and the way to fix it. An empty list is a good result if you have checked thoroughly; list in the report what you checked.

The Gatekeeper reads your findings. A critical or high finding should prevent the merge.
`;

export default async () => ({
  name: 'role-security',
  roles: [
    {
      name: 'security',
      model: 'sonnet',
      timeout: 300_000,
      steps: [
        {
          name: 'security',
          after: 'verify',
          outputs: [
            { file: 'security/report.md', about: 'what you checked, how, and what you found' },
            { file: 'security/findings.json', about: 'one entry for each finding', shape: findings },
          ],
        },
      ],
      prompt: ({ run }) =>
        run.iteration > 1 ? `${INSTRUCTIONS}\nAlso check whether earlier findings were fixed.` : INSTRUCTIONS,
    },
  ],
});
