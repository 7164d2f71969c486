/**
 * Modules of Go and crates of Cargo when their registries cannot be reached: those that the person has fetched before
 * may be all that the project's packages and tests need. Checksums of go.sum and Cargo.lock hold for them as for others.
 */
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { moduleEnvironment } from './environment.ts';
import type { Known } from './known.ts';
import type { Session } from './session.ts';

/** Null when what is needed is there after all, else what went wrong. */
export async function withoutNetwork(
  session: Session,
  { family }: Known,
  cwd: string,
  problem: string,
): Promise<string | null> {
  const another =
    family === 'go'
      ? 'go list -deps -test ./... > /dev/null'
      : family === 'rust'
        ? 'cargo fetch --offline'
        : null;
  if (another === null) return problem;
  if (family === 'rust' && !(await copyCrates(session))) return problem;
  session.say(`${problem}. Do the modules that are there suffice?\n$ ${another}`);
  return (await session.fetch(another, cwd)) === null ? null : problem;
}

/** Index and archives that the person's Cargo has fetched. False when there are none. */
async function copyCrates({ installation: { env, stateFolder } }: Session): Promise<boolean> {
  const from = join(env['CARGO_HOME'] || join(env['HOME'] ?? '/', '.cargo'), 'registry');
  const to = join(moduleEnvironment(stateFolder)['CARGO_HOME']!, 'registry');
  const there = await readdir(from).catch(() => [] as string[]);
  if (!there.includes('cache') || !there.includes('index')) return false;
  for (const name of ['index', 'cache'])
    await cp(join(from, name), join(to, name), { recursive: true, force: false });
  return true;
}
