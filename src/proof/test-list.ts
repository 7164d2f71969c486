/**
 * Every test that a command reports, by a name that is the same in every run and every checkout. Pure.
 *
 * The best source there is counts alone: report files, then reports that were printed, then lists for people. All formats
 * of it are read, so that of two runners in one command neither is overlooked.
 */
import { cargoTests } from './formats/cargo.ts';
import { goJsonTests, goTextTests } from './formats/go.ts';
import { jsonReporterTests } from './formats/json-reporter.ts';
import { junitTests } from './formats/junit.ts';
import { mochaJsonTests } from './formats/mocha-json.ts';
import { unittestTests } from './formats/python.ts';
import { specListTests } from './formats/spec-list.ts';
import { tapTests } from './formats/tap.ts';
import { plain } from './formats/text.ts';
import type { ReadTests, TestCase } from './report.ts';
import type { Output } from './results.ts';

const REPORTS: readonly ReadTests[] = [jsonReporterTests, mochaJsonTests, junitTests, tapTests, goJsonTests];
const LISTS: readonly ReadTests[] = [goTextTests, cargoTests, unittestTests, specListTests];

/** `roots` are the folders that names may begin with: the checkout, as it was given and as links resolve it. */
export function readTests(output: Output, roots: readonly string[]): TestCase[] {
  const printed = [plain(output.stdout), plain(output.stderr)];
  const sources = [
    { texts: output.files.map(file => file.text), readers: REPORTS },
    { texts: printed, readers: REPORTS },
    { texts: printed, readers: LISTS },
  ];
  for (const { texts, readers } of sources) {
    const tests = texts.flatMap(text => readers.flatMap(read => read(text)));
    if (tests.length > 0) return numbered(tests.map(test => ({ ...test, name: clean(test.name, roots) })));
  }
  return [];
}

const clean = (name: string, roots: readonly string[]): string =>
  roots
    .reduce((text, root) => text.replaceAll(`${root}/`, ''), name)
    .replace(/\s+/g, ' ')
    .trim();

const ORDER = { passed: 0, skipped: 1, failed: 2 } as const;

/** Of several tests with one name those that passed come first: what changes is then how many of them passed. */
function numbered(tests: readonly TestCase[]): TestCase[] {
  const times = new Map<string, number>();
  return tests
    .toSorted((a, b) => ORDER[a.status] - ORDER[b.status])
    .map(test => {
      const n = (times.get(test.name) ?? 0) + 1;
      times.set(test.name, n);
      return n === 1 ? test : { ...test, name: `${test.name} #${n}` };
    });
}
