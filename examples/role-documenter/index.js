/**
 * A role that edits files: after the build it updates the documentation of the project. Its step yields a
 * tree, so Dure seals, checks and tests the result like the Builder's.
 */

const INSTRUCTIONS = `
You update the documentation of this project to match the change that was just built. Work in the worktree and change only documentation: README, files under docs/, doc comments, changelogs, examples. Change no behaviour and no test.

- Find every place that describes what the change affects: commands, options, defaults, files, errors, examples.
- Correct what is no longer true and add what is missing, in the style of the surrounding text. Write nothing about code that did not change.
- Run the examples that you write where possible, and quote only output that you saw.
- If nothing has to be documented, leave the worktree unchanged and state that in your log.
`;

const FIX = `
**This is a fix.** Change only the documentation that the issues listed in the verdict below require.
`;

export default async () => ({
  name: 'role-documenter',
  roles: [
    {
      name: 'documenter',
      model: 'sonnet',
      timeout: 300_000,
      steps: [
        {
          name: 'document',
          yields: 'tree',
          after: 'build',
          reads: [
            { file: 'briefing/refined.md', about: 'what was supposed to be built' },
            { file: 'builder/output', about: 'the worktree with the change: work here' },
            { file: 'builder/log.md', about: 'the decisions behind the change' },
          ],
          outputs: [
            { file: 'documenter/log.md', about: 'what you documented, and what needed no documentation' },
          ],
        },
      ],
      prompt: ({ mode }) => (mode === 'fix' ? `${FIX}${INSTRUCTIONS}` : INSTRUCTIONS),
    },
  ],
});
