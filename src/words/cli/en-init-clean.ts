/** The English messages of `init` and `clean`. */
import type { KeptReason } from '../../core/clean/plan.ts';

export const enInit = {
  written: (files: string) => `Written: ${files}`,
  already: (folder: string) => `This project is already set up: ${folder}`,
  agentsInSandbox: (mode: string) => `Agents run in a sandbox: sandbox.mode is ${mode}`,
  agentsWithout: 'Agents run without a sandbox, with your permissions: sandbox.mode is off',
  recognized: (setting: string, shown: string, because: string) =>
    `${setting}: ${shown}\n(detected from ${because})`,
  write: 'Write this to .dure/config/global.json?',
  notWritten: (setting: string, value: string) =>
    `Not written.\nTo write it later: \`dure config set ${setting} ${value}\``,
  leaveOut: ({ tool, file, how }: { tool: string; file: string; how: 'add' | 'create' }) =>
    `${tool} would also read files under .dure/. To exclude them, ${how === 'add' ? `add this to ${file}` : `create ${file} with`}:`,
  imports: (folder: string) => `${folder} contains Orchestral settings and runs. Import them:`,
  atTop: (root: string, directory: string) =>
    `The repository root is ${root}, so the project is set up there${directory === '.' ? '' : `, and tests and checks run in ${directory}`}.`,
  setUpThere: 'Keep this choice? Otherwise, the project is set up in this folder.',
  next: 'Next:',
  task: 'what to do',
  check: 'Check the set-up, the checks and the login first:',
  orElse: 'Or watch a complete demo run first:',
};

export const enClean = {
  nothing: 'Nothing to remove.',
  would: 'Would be removed',
  will: 'To be removed',
  stays: 'Kept',
  more: (n: number) => `and ${n} more`,
  half: (ids: string) => `Partly removed earlier; \`dure clean\` removes the rest: ${ids}`,
  ask: (count: number) => (count === 1 ? 'Remove this run?' : `Remove these ${count} runs?`),
  removed: (count: number) => `Removed: ${count}`,
  inGit: (refs: string) => `Still in git: ${refs}`,
  stayed: (run: string, why: string) => `${run} was not removed: ${why}`,
  why: (why: KeptReason): string => {
    const phase = 'phase' in why ? why.phase : '';
    const name = 'name' in why ? why.name : '';
    return {
      unmarked:
        'its files are gone, or it is not a run folder; pass its id with --force to remove what is left',
      unexpected: `it has no log of its own, and its folder contains ${name}, which Dure does not write. Keep what you need of it, then delete it and repeat the command`,
      'at-work': 'a process is driving it; run `dure stop` first',
      unreadable: 'it cannot be read; --force removes it anyway',
      'not-asked-for': `it is in phase ${phase}`,
      'too-young': 'it is too recent',
      'brought-over': 'it was imported; pass its id to remove it',
      unmerged: 'its result has not been merged; --force removes the run but keeps its branch',
      'not-over': `it is in phase ${phase}; --force removes it anyway`,
    }[why.is];
  },
};
