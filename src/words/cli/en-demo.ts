/** The English messages of `dure demo`. */
export const enDemo = {
  what: 'This is a rehearsal: the four agents play a recording, so no model, key or network is used. Everything else is real: the git worktree, the question, the tests that Dure runs, the mistake they find, the pack, and the merge.',
  sample: (root: string) => `The sample project: ${root}`,
  briefing: 'The briefing:',
  approve: 'Approve it and merge? [Y/n] ',
  merged: 'Merged. That was a rehearsal.',
  notMerged: 'Not merged. That was a rehearsal.',
  still: 'Everything is still there to inspect:',
  project: 'the project',
  pack: 'the pack',
  forReal: 'For a real run with Claude Code, in your own project:',
};
