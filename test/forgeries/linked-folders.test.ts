/**
 * An agent replaces a folder of its run with a link to one of the user's folders. Whatever happens to the run, nothing
 * in the user's folder is read into the run or into git, and nothing there is written or removed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DureError } from '../../src/errors.ts';
import { runFiles, runFolders } from '../../src/formats/layout.ts';
import { linkInRun } from '../../src/formats/refuse-symlinks.ts';
import { builds, cassette, flag } from '../e2e/agent-moves.ts';
import { scratchProject } from '../e2e/scratch-project.ts';

const SECRET = 'a private key that no run may contain';
/** Names that Dure reads and writes in folders of a run. */
const NAMES = [
  'id',
  'log.md',
  'done.flag',
  'error.flag',
  'refined.md',
  'summary.md',
  'greeting.txt',
  '1.json',
];

async function privateFolder(): Promise<string> {
  const outside = await mkdtemp(join(tmpdir(), 'dure-private-'));
  for (const folder of ['', 'output', 'tests', 'code', 'stray']) {
    mkdirSync(join(outside, folder), { recursive: true });
    for (const name of NAMES) writeFileSync(join(outside, folder, name), SECRET);
  }
  return outside;
}

/** Skips a file that has been removed since the folder was listed, as the temporary file of a runner that ends. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .flatMap(({ parentPath, name }) => {
        const path = join(parentPath, name);
        const text = textOf(path);
        return text === null ? [] : [[path, text]];
      }),
  );

const objectsOf = (root: string): string =>
  execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], { cwd: root, encoding: 'latin1' });

test('runFolders lists every folder of a run', () => {
  const files = Object.values(runFiles('.')).flatMap(path =>
    typeof path === 'string' ? [path] : [path('x' as never, 1 as never)],
  );
  const folders = files.flatMap(path => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  });
  expect(runFolders(['x'])).toEqual(expect.arrayContaining([...new Set(folders)]));
});

test('a link in a path is found at any depth below the run folder, but not above it', async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-links-'));
  const run = join(top, 'link', 'runs', 'run-20260131-142201');
  mkdirSync(join(top, 'real', 'runs', 'run-20260131-142201', 'a', 'b'), { recursive: true });
  execFileSync('ln', ['-s', 'real', join(top, 'link')]);
  execFileSync('ln', ['-s', 'a', join(run, 'c')]);
  expect(linkInRun(join(run, 'a', 'b', 'file'))).toBeNull();
  expect(linkInRun(join(run, 'c', 'b', 'file'))).toBe('run-20260131-142201/c');
  expect(linkInRun(join(top, 'link'))).toBeNull();
  await rm(top, { recursive: true });
});

describe.concurrent('a folder that the Builder replaces with a link', () => {
  test.for(runFolders(['briefing', 'builder', 'verifier', 'gatekeeper']))(
    '%s',
    async (folder, { expect, onTestFinished }) => {
      const outside = await privateFolder();
      const before = contentOf(outside);
      const { root, start } = await scratchProject({
        onTestFinished,
        config: { global: { max_iterations: 1, auto_retry: { enabled: true, max_attempts: 1 } } },
      });
      const place = `mkdir -p "$(dirname ${folder})"; mv ${folder} ${folder}.was; ln -s "${outside}" ${folder}`;
      const run = await start(
        cassette({
          builder: [[...builds('hello\n').slice(0, -1), { sh: place }, flag('builder/done.flag')]],
        }),
      );
      await run.drive().catch((error: unknown) => {
        if (!(error instanceof DureError)) throw error;
      });
      // The agent itself may write through its link; Dure may not.
      const after = contentOf(outside);
      delete after[join(outside, 'done.flag')];
      delete before[join(outside, 'done.flag')];
      expect(after).toEqual(before);
      expect(objectsOf(root)).not.toContain(SECRET);
      expect(Object.values(contentOf(run.files.dir)).filter(text => text.includes(SECRET))).toEqual([]);
      await rm(outside, { recursive: true, maxRetries: 20 });
    },
  );
});
