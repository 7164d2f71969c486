/** Finds the assertions that a test file imports, and their usual names. Pure. */
import type { Edit } from '../syntax/text-edits.ts';

export interface AssertionNames {
  /**
   * Returns `assert.equal` for `eq` in `import { equal as eq } from 'node:assert'`, `t.equal` for a method of the object
   * that a test receives, and `self.assertEqual` for a method of any `TestCase`; other names stay as they are.
   */
  usual(called: string): string;
  /** Edits that call another assertion of the same module, `name`, instead of `called`, and import it if necessary. */
  otherOfModule(called: string, range: Pick<Edit, 'from' | 'to'>, name: string): Edit[];
}

interface ImportedName {
  readonly usual: string;
  /** Imports the whole module after the statement that imports the name. */
  readonly whole: Edit;
}

const MODULES: readonly (readonly [RegExp, usual: (name: string) => string])[] = [
  [
    /^(?:(?:node:)?assert(?:\/strict)?|power-assert|uvu\/assert)$/,
    name => (name === '*' ? 'assert' : `assert.${name}`),
  ],
  [/^chai$/, name => (name === '*' ? 'chai' : name)],
  [/^pytest$/, name => (name === '*' ? 'pytest' : `pytest.${name}`)],
];

const usualNamesOf = (module: string) => MODULES.find(([pattern]) => pattern.test(module))?.[1];

/** `require('m')` at the start of a call, as in `require('m').equal(…)`. */
const REQUIRED = /^require\(\s*(['"])([^'"]+)\1\s*\)/;
/** `import a, { b as c } from 'm';` and `import * as a from 'm';` */
const IMPORT = /\bimport\s+([\w$*{][^;'"]*?)\s*\bfrom\s*(['"])([^'"]+)\2;?/g;
/** `const { a: b } = require('m');` */
const REQUIRE = /\b(?:const|let|var)\s+([^=;]+?)\s*=\s*require\(\s*(['"])([^'"]+)\2\s*\)(?:\.strict)?;?/g;
/** `from m import a as b` and `import m as a` in Python. */
const FROM = /^[ \t]*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n#]+)/gm;
const IMPORT_AS = /^[ \t]*import\s+([\w.]+)\s+as\s+(\w+)/gm;

const WHOLE = 'otherAssertions';

/** The object before a method of `TestCase` in Python. */
const TEST_CASE = /^[\w.]+\.(?=assert[A-Z]\w*$)/;

/** `testObjects`: the names of the object that a test receives. */
export function assertionNames(text: string, testObjects: ReadonlySet<string>): AssertionNames {
  const names = new Map<string, ImportedName>();
  const add = (module: string, clause: string, whole: Edit) => {
    const usual = usualNamesOf(module);
    if (usual) for (const [name, local] of namesIn(clause)) names.set(local, { usual: usual(name), whole });
  };
  const after = ({ index, 0: { length } }: RegExpMatchArray, code: string): Edit => {
    return { from: index! + length, to: index! + length, text: code };
  };
  for (const found of text.matchAll(IMPORT))
    add(found[3]!, found[1]!, after(found, ` import * as ${WHOLE} from '${found[3]}';`));
  for (const found of text.matchAll(REQUIRE))
    add(found[3]!, found[1]!, after(found, ` const ${WHOLE} = require('${found[3]}');`));
  for (const found of text.matchAll(FROM))
    add(found[1]!, `{${found[2]!.replace(/#.*|[()]/g, '')}}`, after(found, ''));
  for (const found of text.matchAll(IMPORT_AS)) add(found[1]!, `* as ${found[2]}`, after(found, ''));
  return {
    usual: called =>
      called
        .replace(REQUIRED, (required, _, module) => usualNamesOf(module)?.('*') ?? required)
        .replace(/^[\w$]+/, first => names.get(first)?.usual ?? (testObjects.has(first) ? 't' : first))
        .replace(TEST_CASE, 'self.'),
    otherOfModule: (called, range, name) => {
      const found = names.get(called);
      return found ? [{ ...range, text: `${WHOLE}.${name}` }, found.whole] : [{ ...range, text: name }];
    },
  };
}

/** Pairs of the exported and the local name; `*` for the whole module. */
function namesIn(clause: string): [string, string][] {
  const [before = '', list = ''] = clause.split(/[{}]/);
  const whole = /^(?:\*\s*as\s+)?([\w$]+)/.exec(before.trim());
  const named = list.split(',').flatMap((each): [string, string][] => {
    const [name, local = name] = each.trim().split(/\s+as\s+|\s*:\s*/);
    return name ? [[name, local!]] : [];
  });
  return whole ? [['*', whole[1]!], ...named] : named;
}
