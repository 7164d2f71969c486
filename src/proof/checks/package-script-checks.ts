/** Proposes checks that run the scripts of package.json with the project's package manager. */

import type { Folder } from '../../workspace/dependencies/folder-reader.ts';
import {
  type NodePackageManager,
  packageManagerOf,
  scriptsOf,
} from '../../workspace/dependencies/node/node-project.ts';
import type { CheckProposal } from './check-proposal-type.ts';
import { programsOf, type ScriptPart, type Scripts, unitsOfScript } from './command-programs.ts';
import { type Purpose, purposeOf } from './known-programs.ts';

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
/** A check that fixes files hides the problems it finds and changes the code under test. */
const REPAIRS = /^--(?:fix|fix-dangerously|fix-suggestions|write|apply|apply-unsafe)(?:=true)?$/;
const WATCHES = /(?:^|\s)(?:--watch(?:All|-all)?(?!=false)|-w|watch|nodemon)(?=\s|$)/;

export async function scriptProposals(own: Folder, folders: readonly Folder[]): Promise<CheckProposal[]> {
  const manifest = await own.json('package.json');
  if (manifest === null) return [];
  const scripts = scriptsOf(manifest);
  const programsIn = (name: string) => programsOf(scripts[name] ?? '', scripts);
  const manager = await nearestManager(folders);
  const run = (name: string) =>
    name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`;
  const first = (names: readonly string[]) =>
    names.find(name => isRun(scripts[name]) && (TEST_SCRIPTS.includes(name) || !repairs(programsIn(name))));
  const test = first(TEST_SCRIPTS);
  const plain = (purpose: CheckProposal['name'], names: readonly string[]) => {
    const name = first(names);
    return name === undefined ? [] : [{ name: purpose, command: run(name), because: because(name) }];
  };
  const tests = test === undefined ? [] : testProposals(test, scripts, run, mayTakeApart(own, manager));
  const covered = new Set(tests.map(proposal => proposal.name));
  return [
    ...tests,
    ...plain('lint', LINT_SCRIPTS).filter(() => !covered.has('lint')),
    ...plain('types', TYPE_SCRIPTS).filter(() => !covered.has('types')),
    ...plain('check', ['check']).filter(() => isOwn(scripts, covered)),
  ];
}

const because = (script: string) => `scripts.${script} of package.json`;
const repairs = (programs: ScriptPart['programs']): boolean =>
  programs.some(words => words.some(word => REPAIRS.test(word)));
const isRun = (text: string | undefined) => text !== undefined && !EMPTY.test(text) && !WATCHES.test(text);

/** Whether the `check` script starts no tests or linters that are already proposed. */
const isOwn = (scripts: Scripts, covered: ReadonlySet<string>): boolean => {
  const purposes = programsOf(scripts['check'] ?? '', scripts).map(purposeOf);
  return !purposes.some(purpose => purpose !== null && (covered.has(purpose) || isRun(scripts[purpose])));
};

/** Proposes a script's tests and, separately, the linters and type checkers that it also starts. */
function testProposals(
  name: string,
  scripts: Scripts,
  run: (script: string) => string,
  apart: boolean,
): CheckProposal[] {
  const whole = [{ name: 'test', command: run(name), because: because(name) }];
  const all = unitsOfScript(name, scripts, run);
  const units = all
    .filter(unit => !isAudit(unit) && (purposeOfUnit(unit) === 'test' || !repairs(unit.programs)))
    .map((unit, n) => {
      const purpose = purposeOfUnit(unit);
      // Test commands are also kept separate: one that fails on base would prevent later ones from running.
      return { ...unit, purpose, kind: purpose === 'test' ? `test ${n}` : purpose };
    });
  const kinds = [...new Set(units.flatMap(({ kind }) => kind ?? []))];
  const isOne = kinds.length < 2 && units.length === all.length;
  if (!apart || isOne || !units.some(unit => unit.purpose === 'test')) return whole;
  const lastTest = units.findLastIndex(unit => unit.purpose === 'test');
  return kinds
    .map(kind => {
      const last = units.findLastIndex(unit => unit.kind === kind);
      // Other steps, such as a build, are repeated in each check, because each check runs alone.
      const own = units.filter(
        (unit, n) => unit.kind === kind || (unit.purpose === null && (n < last || last === lastTest)),
      );
      const command = own.map(unit => unit.command).join(' && ');
      return { name: units[last]!.purpose!, command, because: because(name) };
    })
    .toSorted((a, b) => PURPOSES.indexOf(a.name) - PURPOSES.indexOf(b.name));
}

const PURPOSES: readonly Purpose[] = ['test', 'lint', 'types'];

/** Audits are not proposed: they need the network, and vulnerabilities in packages are unrelated to a change. */
const isAudit = ({ programs }: ScriptPart): boolean =>
  programs.length > 0 &&
  programs.every(([name = '', verb]) => /^(?:npm|pnpm|yarn)(?:@|$)/.test(name) && verb === 'audit');

const FORMAT = /^(?:lint|format|fmt|style|prettier)(?::|$)/;

/** A unit that runs tests counts as a test. Null when the purpose of any other unit is unknown or mixed. */
function purposeOfUnit({ programs, script = '' }: ScriptPart): Purpose | null {
  const purposes = new Set(programs.map(purposeOf));
  if (purposes.has('test')) return 'test';
  if (FORMAT.test(script)) return 'lint';
  return purposes.size === 1 ? [...purposes][0]! : null;
}

/** Whether scripts may be split up. Under Plug'n'Play, there is no `node_modules/.bin`: only `yarn` finds programs. */
const mayTakeApart = (own: Folder, manager: NodePackageManager): boolean =>
  manager !== 'yarn' || !own.has('.yarnrc.yml');

/** `folders`: the folder of the package, then its parent folders, such as the root of a workspace. */
async function nearestManager(folders: readonly Folder[]): Promise<NodePackageManager> {
  for (const folder of folders) {
    const found = await packageManagerOf(folder);
    if (found) return found.name;
  }
  return 'npm';
}
