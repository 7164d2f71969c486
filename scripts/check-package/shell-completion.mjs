/** Tests completion with TAB in bash, zsh and fish: commands, flags, values of flags and arguments, and runs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, terminal } from './real-terminal.mjs';

const READY = 'ready>';

/** Commands that start each shell without the user's configuration, but with completion loaded as the help says. */
const SHELLS = {
  bash: dir => {
    writeFileSync(join(dir, 'bashrc'), `PS1='${READY} '\nsource <(dure completion bash)\n`);
    return `bash --noprofile --rcfile ${join(dir, 'bashrc')} -i`;
  },
  zsh: dir => {
    writeFileSync(
      join(dir, '.zshrc'),
      `PS1='${READY} '\nautoload -U compinit && compinit -u -D\nsource <(dure completion zsh)\n`,
    );
    return `env ZDOTDIR=${dir} zsh -i`;
  },
  fish: dir => {
    writeFileSync(
      join(dir, 'init.fish'),
      `function fish_prompt; echo -n '${READY} '; end\nset -g fish_greeting\ndure completion fish | source\n`,
    );
    return `fish --no-config -i -C 'source ${join(dir, 'init.fish')}'`;
  },
};

/** Shells that are not installed are skipped and reported. */
export async function completes({ dir, env, project, run }) {
  const missing = ['tmux', ...Object.keys(SHELLS)].filter(program => !isThere(program));
  if (missing.includes('tmux')) return { checked: [], missing };
  const shells = Object.keys(SHELLS).filter(shell => !missing.includes(shell));
  for (const shell of shells) await inShell(shell, { dir: join(dir, shell), env, project, run });
  return { checked: shells, missing };
}

async function inShell(shell, { dir, env, project, run }) {
  mkdirSync(dir, { recursive: true });
  const command = SHELLS[shell](dir);
  const pane = terminal({ dir, env: { ...env, TERM: 'xterm-256color' }, cwd: project, command });
  /** Types the text, presses TAB, and expects the completion or suggestion on the screen. */
  const offers = async (typed, wanted) => {
    pane.press('C-u');
    pane.press('C-l');
    pane.type(typed);
    pane.press('Tab');
    await pane.shows(wanted, () => pane.press('Tab'));
  };
  try {
    await pane.shows(new RegExp(READY));
    await offers('dure histo', /dure history/);
    await offers('dure st', /start[\s\S]*status|status[\s\S]*start/);
    await offers('dure start --no-bro', /--no-browser/);
    await offers('dure wait --for h', /--for human/);
    await offers('dure completion z', /completion zsh/);
    await offers('dure config c', /config check/);
    await offers(`dure status ${run.slice(0, -3)}`, new RegExp(run));
  } catch (error) {
    throw new Error(`${shell}: ${error.message}`, { cause: error });
  } finally {
    pane.close();
  }
}
