/** Shows long text in a pager in a terminal; writes it directly to a pipe. */
import { spawn } from 'node:child_process';

export async function page(text: string): Promise<void> {
  const exceedsScreen = text.split('\n').length > (process.stdout.rows ?? 24) - 2;
  const pager = process.env['GIT_PAGER'] ?? process.env['PAGER'] ?? 'less';
  if (
    !process.stdout.isTTY ||
    !exceedsScreen ||
    pager === '' ||
    pager === 'cat' ||
    !(await paged(pager, text))
  )
    process.stdout.write(text);
}

/** False if the pager could not be started. */
const paged = (pager: string, text: string): Promise<boolean> =>
  new Promise(resolve => {
    const child = spawn(pager, {
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
