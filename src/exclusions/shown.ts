/** An edit as a unified diff, by git. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { dureError } from '../errors.ts';
import { runGit } from '../workspace/git.ts';
import type { Edit } from './find.ts';

export async function diffOf({ file, before, after }: Edit): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'dure-shown-'));
  try {
    for (const [side, text] of [
      ['a', before],
      ['b', after],
    ] as const) {
      await mkdir(join(dir, side));
      if (text !== null) await writeFile(join(dir, side, file), text);
    }
    const sides = [before === null ? devNull : `a/${file}`, `b/${file}`];
    const args = ['diff', '--no-index', '--no-prefix', '--no-color', '--no-ext-diff', '--no-textconv', '--'];
    const { code, stdout, stderr } = await runGit([...args, ...sides], { cwd: dir });
    if (code > 1) throw dureError('E_GIT', { command: 'diff', stderr });
    const text = stdout.toString();
    return text.slice(text.indexOf('\n--- ') + 1);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}
