/** Shows long text in a pager in a terminal; writes it directly to a pipe. */
import { spawn } from 'node:child_process';
import { runGit } from '../workspace/git/run-git.ts';

export async function page(text: string): Promise<void> {
  // The prompt takes the last row.
  const exceedsScreen = text.replace(/\n$/, '').split('\n').length >= (process.stdout.rows ?? 24);
  if (!process.stdout.isTTY || !exceedsScreen || !(await paged(await pager(), text)))
    process.stdout.write(text);
}

/**
 * The pager that git would use. `core.pager` is read only from the user's own configuration, because it is a program,
 * and an agent can write to the configuration of the repository.
 */
const pager = async (): Promise<string> =>
  process.env['GIT_PAGER'] ?? (await configured()) ?? process.env['PAGER'] ?? 'less';

async function configured(): Promise<string | null> {
  const file = process.env['GIT_CONFIG_GLOBAL'];
  const found = await runGit(['config', '--global', '--includes', '--get', 'core.pager'], {
    ...(file !== undefined && { env: { GIT_CONFIG_GLOBAL: file } }),
  }).catch(() => null);
  return found?.code === 0 ? found.stdout.toString().trim() : null;
}

/** Returns false if the pager could not show the text. */
const paged = (command: string, text: string): Promise<boolean> =>
  new Promise(resolve => {
    if (command === '' || command === 'cat') return resolve(false);
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, LESS: process.env['LESS'] ?? 'FRX' },
    });
    // The user may quit the pager before the end, which closes its input.
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(false));
    child.on('close', code => resolve(code !== 127));
    child.stdin.end(text);
  });
