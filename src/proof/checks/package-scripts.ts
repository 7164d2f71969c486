/** Checks from the scripts of package.json, run with the package manager that the project uses. */
import type { CheckProposal, Folder } from './recognize.ts';
import { type Purpose, purposeOf } from './runners.ts';
import { programsOf, type Scripts, type Unit, unitsOfScript } from './scripts.ts';

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCKFILES: readonly (readonly [string, Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
const TEST_SCRIPTS = ['test', 'test:ci', 'test:run', 'test:unit', 'test:node', 'unit', 'tests'];
const LINT_SCRIPTS = ['lint', 'lint:check', 'lint:ci', 'lint:js'];
const TYPE_SCRIPTS = [
  'typecheck',
  'type-check',
  'types',
  'check-types',
  'check:types',
  'types:check',
  'test:types',
  'tsc',
];
const EMPTY = /no test specified|^\s*(?:true|:|exit 0|echo\b[^&|;]*)\s*$/;
const WATCHES = /(?:^|\s)(?:--watch(?:All|-all)?(?!=false)|-w|watch|nodemon)(?=\s|$)/;

export async function scriptProposals(own: Folder, folders: readonly Folder[]): Promise<CheckProposal[]> {
  const manifest = parsed(await own.read('package.json'));
  if (manifest === null) return [];
  const { scripts } = manifest;
  const manager = manifest.manager ?? (await managerOf(folders));
  const run = (name: string) =>
    name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`;
  const first = (names: readonly string[]) => names.find(name => isRun(scripts[name]));
  const test = first(TEST_SCRIPTS);
  const plain = async (purpose: CheckProposal['name'], names: readonly string[]) => {
    const name = first(names);
    return name === undefined ? [] : [{ name: purpose, command: run(name), because: because(name) }];
  };
  const tests = test === undefined ? [] : testProposals(test, scripts, run, await mayTakeApart(own, manager));
  const covered = new Set(tests.map(proposal => proposal.name));
  return [
    ...tests,
    ...(await plain('lint', LINT_SCRIPTS)).filter(() => !covered.has('lint')),
    ...(await plain('types', TYPE_SCRIPTS)).filter(() => !covered.has('types')),
    ...(await plain('check', ['check'])).filter(() => isOwn(scripts, covered)),
  ];
}

const because = (script: string) => `scripts.${script} of package.json`;
const isRun = (text: string | undefined) => text !== undefined && !EMPTY.test(text) && !WATCHES.test(text);

/** A `check` that only calls tests or lint which are proposed already says nothing new. */
const isOwn = (scripts: Scripts, covered: ReadonlySet<string>): boolean => {
  const purposes = programsOf(scripts['check'] ?? '', scripts).map(purposeOf);
  return !purposes.some(purpose => purpose !== null && (covered.has(purpose) || isRun(scripts[purpose])));
};

/** The tests, and apart from them the linters and type checkers that the same script starts. */
function testProposals(
  name: string,
  scripts: Scripts,
  run: (script: string) => string,
  apart: boolean,
): CheckProposal[] {
  const whole = [{ name: 'test', command: run(name), because: because(name) }];
  const units = unitsOfScript(name, scripts, run).map(unit => ({ ...unit, purpose: purposeOfUnit(unit) }));
  const purposes = new Set(units.map(unit => unit.purpose).filter(purpose => purpose !== null));
  if (!apart || purposes.size < 2 || !purposes.has('test')) return whole;
  return (['test', 'lint', 'types'] as const)
    .filter(purpose => purposes.has(purpose))
    .map(purpose => {
      const last = units.findLastIndex(unit => unit.purpose === purpose);
      // What is neither, such as a build, runs before each, for each runs alone.
      const own = units.filter(
        (unit, n) => unit.purpose === purpose || (unit.purpose === null && (n < last || purpose === 'test')),
      );
      return { name: purpose, command: own.map(unit => unit.command).join(' && '), because: because(name) };
    });
}

/** Null for what is not one thing. */
function purposeOfUnit({ programs }: Unit): Purpose | null {
  const purposes = new Set(programs.map(purposeOf));
  if (purposes.has('test')) return 'test';
  return purposes.size === 1 ? [...purposes][0]! : null;
}

/** Plug'n'Play has no folder of programs: there only `yarn` finds them. */
const mayTakeApart = async (own: Folder, manager: Manager): Promise<boolean> =>
  manager !== 'yarn' || !(await own.has('.yarnrc.yml'));

async function managerOf(folders: readonly Folder[]): Promise<Manager> {
  for (const folder of folders) {
    for (const [file, manager] of LOCKFILES) if (await folder.has(file)) return manager;
    const above = parsed(await folder.read('package.json'))?.manager;
    if (above) return above;
  }
  return 'npm';
}

function parsed(text: string | null): { scripts: Scripts; manager: Manager | null } | null {
  try {
    const value = JSON.parse(text ?? 'null') as { scripts?: unknown; packageManager?: unknown } | null;
    if (typeof value !== 'object' || value === null) return null;
    const entries = Object.entries((value.scripts ?? {}) as Record<string, unknown>);
    const scripts = Object.fromEntries(
      entries.filter((e): e is [string, string] => typeof e[1] === 'string'),
    );
    const manager = /^(npm|pnpm|yarn|bun)@/.exec(String(value.packageManager ?? ''))?.[1] ?? null;
    return { scripts, manager: manager as Manager | null };
  } catch {
    return null;
  }
}
