/** A run that is ready again after changes were requested, with real commits. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { READY, type Site } from './pages-server.ts';
import { BASE as SAMPLE_BASE } from './sample-run.ts';

export const RETRY = 'src/retry.ts';
const BASE = ['export const limit = 3;', 'export const pause = 10;', ''];
const FIRST = ['export const limit = 5;', ...Array.from({ length: 30 }, (_, n) => `step(${n});`), ''];
const SECOND = FIRST.map(line => (line === 'step(11);' ? 'step(11, "slowly");' : line)).toSpliced(
  1,
  0,
  BASE[1]!,
);
export const COMMENTS = [
  { file: RETRY, line: 12, end_line: 14, comment: 'Slower here.' },
  { file: RETRY, line: 25, comment: 'Why so many?' },
  { file: RETRY, line: 2, side: 'old' as const, comment: 'Keep the pause.' },
];

/** A PNG of one pixel, with a different comment for each version. */
const image = (version: number) =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(`${version}`),
  ]);

/** Turns the run `READY` into one of two rounds. */
export async function addSecondRound(site: Site): Promise<void> {
  const { root } = site.project;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main');
  for (const [key, value] of Object.entries({ 'user.name': 'Ann', 'user.email': 'ann@example.org' }))
    git('config', key, value);
  const commit = async (lines: readonly string[]) => {
    await mkdir(join(root, dirname(RETRY)), { recursive: true });
    await writeFile(join(root, RETRY), lines.join('\n'));
    await writeFile(join(root, 'logo.png'), image(lines.length));
    git('add', RETRY, 'logo.png');
    git('commit', '--quiet', '--message=x');
    return { commit: git('rev-parse', 'HEAD'), tree: git('rev-parse', 'HEAD^{tree}') };
  };
  const base = await commit(BASE);
  const first = await commit(FIRST);
  const second = await commit(SECOND);
  const files = site.files(READY);
  const at = new Date().toISOString();
  await replaceJson(files.feedbackOf(1), {
    asked_at: at,
    tree: first.tree,
    feedback: 'Be kinder to the server.',
    comments: COMMENTS,
  });
  await writeFile(files.patch, git('diff', '--full-index', base.commit, first.commit));
  await cp(files.mrp, files.packOf(1), { recursive: true });
  await site.tell(
    READY,
    {
      at,
      asked_at: at,
      type: 'run.rebased',
      from: SAMPLE_BASE,
      base: base.commit,
      onto: 'main',
      ...first,
      same_patch: true,
      conflicts: [],
    },
    { at, type: 'mrp.created', ...first, cost_usd: 1, files: {}, pack: first.commit },
    { at, type: 'mrp.rejected', feedback: 1, summary: 'Be kinder to the server.' },
  );
  await writeFile(packFiles(files.mrp).patch, git('diff', '--full-index', base.commit, second.commit));
  await site.tell(
    READY,
    { at, type: 'iteration.started', iteration: 2, reason: 'changes were requested' },
    { at, type: 'mrp.created', ...second, cost_usd: 2, files: {}, pack: second.commit },
  );
}
