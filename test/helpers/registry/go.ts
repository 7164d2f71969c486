/** A Go module proxy: a folder, for `GOPROXY=file://…`. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Adds version v1.0.0 of a module with one file to the proxy at `folder`. */
export async function addGoModule(folder: string, path: string, source: string): Promise<void> {
  const at = join(folder, path, '@v');
  await mkdir(at, { recursive: true });
  const making = await mkdtemp(join(tmpdir(), 'dure-module-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', making, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q');
  await writeFile(join(making, 'go.mod'), `module ${path}\n`);
  await writeFile(join(making, 'a.go'), source);
  git('add', '-A');
  git(
    'archive',
    '--format=zip',
    `--prefix=${path}@v1.0.0/`,
    `--output=${join(at, 'v1.0.0.zip')}`,
    git('write-tree'),
  );
  await rm(making, { recursive: true, force: true });
  await writeFile(join(at, 'v1.0.0.mod'), `module ${path}\n`);
  await writeFile(join(at, 'v1.0.0.info'), '{"Version":"v1.0.0","Time":"2026-01-31T14:22:33Z"}\n');
  await writeFile(join(at, 'list'), 'v1.0.0\n');
}
