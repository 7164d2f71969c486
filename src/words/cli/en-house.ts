/** What `init` and `clean` say, in English. */
import type { WhyKept } from '../../housekeeping/plan.ts';

export const init = {
  written: (files: string) => `Written: ${files}`,
  already: (folder: string) => `This project is set up already: ${folder}`,
  recognised: (setting: string, shown: string, because: string) =>
    `${setting}: ${shown}\n(recognised from ${because})`,
  write: 'Write this to .dure/config/global.json?',
  notWritten: (setting: string, value: string) => `Not written.\nLater: dure config set ${setting} ${value}`,
  leaveOut: (tool: string, file: string) =>
    `${tool} would also read files under .dure/. To leave it out, add to ${file}:`,
  found: (folder: string, config: boolean, runs: number) => {
    const what = [
      ...(config ? ['its configuration'] : []),
      ...(runs > 0 ? [`${runs} ${runs === 1 ? 'run' : 'runs'}`] : []),
    ];
    return `This project was used with Orchestral: ${folder} holds ${what.join(' and ')}.`;
  },
  bring: 'Bring this over? The original stays as it is.',
  atTop: (root: string, directory: string) =>
    `The repository begins at ${root}: the project is set up there${directory === '.' ? '' : `, and tests and checks run in ${directory}`}.`,
  setUpThere: 'Set it up there, and not in this folder?',
  notBrought: 'Not brought over.\nLater: dure init --bring-over',
  brought: (config: number, runs: number, decisions: number) =>
    `Brought over: ${counted(config, 'configuration file')}, ${counted(runs, 'run')} (dure history), ${counted(decisions, 'standing decision')}.`,
  next: 'Next:',
  task: 'what should be done',
  orElse: 'Or see a whole run first:',
};

export const clean = {
  nothing: 'There is nothing to remove.',
  would: 'Would be removed',
  will: 'To be removed',
  stays: 'Stays',
  more: (n: number) => `and ${n} more`,
  half: (ids: string) => `Half removed before, to be finished: ${ids}`,
  ask: (count: number) => (count === 1 ? 'Remove this run?' : `Remove these ${count} runs?`),
  removed: (count: number) => `Removed: ${count}`,
  stayed: (run: string, why: string) => `${run} stays: ${why}`,
  why: (why: WhyKept): string => {
    switch (why.is) {
      case 'unmarked':
        return 'it does not carry the mark of a run';
      case 'at-work':
        return 'a process drives it; end that with `dure stop` first';
      case 'unreadable':
        return 'it cannot be read; --force removes it all the same';
      case 'not-asked-for':
        return `it is ${why.phase}`;
      case 'too-young':
        return 'it is not old enough';
      case 'brought-over':
        return 'it came from the predecessor; name it to remove it';
      case 'unmerged':
        return 'its result is not merged; --force removes it, and leaves the branch';
      case 'not-over':
        return `it is ${why.phase}; --force removes it all the same`;
    }
  },
};

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
