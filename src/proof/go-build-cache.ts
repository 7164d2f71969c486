/**
 * Maintains a Go build cache with the compiled standard library, dependencies and sealed trees. Without it, Go would
 * compile them for each test run, because commands run with an empty HOME. The cache is filled by `go test -exec true`,
 * which compiles the tests but does not run them. Other commands get links to the files, which they cannot change.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { statsOfTarget } from '../formats/file-system/path-status.ts';
import { removeFolder } from '../formats/file-system/remove-folder.ts';
import { temporaryFolder } from '../formats/file-system/temporary-folder.ts';
import { sha256 } from '../formats/text/sha256.ts';
import { runCommand } from '../process/run-shell-command.ts';
import { type Confinement, findSandbox } from '../process/sandbox/find-sandbox.ts';
import type { HomeLinks } from '../process/sandbox/temporary-home.ts';
import { elapsedSince } from '../process/timestamp-age.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { filesIn } from '../workspace/git/tree-entries.ts';
import { treeAt } from '../workspace/git/tree-of-commit.ts';
import { limitStateFolder, touch } from '../workspace/prune-state-folder.ts';
import { type TestPlace, testEnvironment } from './test-environment.ts';

export interface GoBuildCacheOf {
  readonly place: TestPlace;
  readonly confinement: Confinement;
  readonly repository: Repository;
  /** The commit that is checked out. */
  readonly commit: string;
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Receives a line before each compilation. */
  readonly onOutput: (chunk: Buffer) => void;
}

/** Milliseconds until the cache is filled again: Go removes entries that have not been used for five days. */
const FILLED_MS = 24 * 3_600_000;
const TIMEOUT_MS = 300_000;
const GRACE_MS = 2000;

/** Where Go looks for its cache in HOME. */
const IN_HOME = process.platform === 'darwin' ? 'Library/Caches/go-build' : '.cache/go-build';

/** Null for a project without Go modules. */
export async function goBuildCache(of: GoBuildCacheOf): Promise<HomeLinks | null> {
  const files = await filesIn(of.repository, of.commit);
  const modules = files.filter(
    path => basename(path) === 'go.mod' && !/(?:^|\/)(?:vendor|testdata|node_modules)\//.test(path),
  );
  if (modules.length === 0) return null;
  const folder = join(of.stateFolder, 'compiled', 'go');
  const [cache, filled] = [join(folder, 'cache'), join(folder, 'filled')];
  for (const path of [cache, filled]) await mkdir(path, { recursive: true, mode: 0o700 });
  const { tools, top } = of.place;
  await daily(join(filled, keyOf(tools)), () => withStandardTests(path => fill(path, cache, of)));
  const tree = await treeAt(of.repository, of.commit);
  await daily(join(filled, keyOf([...tools, tree])), async () => {
    for (const path of modules) await fill(join(top, dirname(path)), cache, of);
  });
  // Newer versions of Go fail if this file says that it is time to trim a cache that they cannot write to.
  await rm(join(cache, 'trim.txt'), { force: true });
  await touch([folder]);
  await limitStateFolder(of.stateFolder);
  return { from: cache, to: IN_HOME };
}

const keyOf = (about: readonly string[]): string => sha256(JSON.stringify(about));

/** Runs the work at most once a day; the modification time of `mark` records the last time. */
async function daily(mark: string, work: () => Promise<void>): Promise<void> {
  const last = await statsOfTarget(mark);
  if (last && elapsedSince(last.mtimeMs) < FILLED_MS) return;
  await work();
  await writeFile(mark, '');
}

/** Packages that tests often import, whether or not the project's own tests do. */
const STANDARD = (
  'bufio bytes context encoding/base64 encoding/hex encoding/json errors flag fmt io log math math/rand ' +
  'net net/http net/http/httptest net/url os os/exec path/filepath reflect regexp runtime sort strconv ' +
  'strings sync sync/atomic testing testing/quick text/template time unicode unicode/utf8'
).split(' ');

/** Calls `work` with the folder of a module whose test imports the packages in `STANDARD`. */
async function withStandardTests(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder('dure-go-');
  try {
    const imports = STANDARD.map(name => `import _ "${name}"\n`).join('');
    await writeFile(join(folder, 'go.mod'), 'module standard\n');
    await writeFile(join(folder, 'standard_test.go'), `package standard\n\n${imports}`);
    await work(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** Ignores packages that do not compile: the tests will show why. */
async function fill(
  module: string,
  cache: string,
  { place, confinement, env, signal, onOutput }: GoBuildCacheOf,
): Promise<void> {
  const command = 'go test -exec true ./...';
  onOutput(Buffer.from(`Filling the Go build cache: ${command}\n`));
  await runCommand({
    command,
    cwd: module,
    env: { ...testEnvironment(place, env), GOCACHE: cache },
    timeout_ms: TIMEOUT_MS,
    grace_ms: GRACE_MS,
    signal,
    sandbox: await findSandbox(env),
    confinement: {
      ...confinement,
      writable: [cache],
      readable: [...confinement.readable, place.top, module],
      network: false,
    },
    onOutput: () => {},
  });
  signal.throwIfAborted();
}
