/**
 * Builds a variant of the result that hides the source text of the changed files: their code is in a string or in a
 * file with another name. A test that reads or parses the source fails there, whatever it looks for. Pure.
 */
import { posix } from 'node:path';
import type { SyntaxNode } from '@lezer/common';
import type { Change, ChangedFile } from '../changed-code.ts';
import { syntaxErrors } from '../syntax/parse-code.ts';
import type { TestFile } from '../test-files-in-known-languages.ts';
import type { Variant } from './variant.ts';

export interface HiddenSource extends Variant {
  /** Whether the files load as before: in JavaScript and TypeScript, a bundler or compiler might not find the code. */
  readonly loads: boolean;
}

type Edits = readonly [string, Buffer | null][];

/** Null if there is no file whose text can be hidden without changing what the code does. */
export function hiddenSource(
  { code }: Change,
  tests: readonly Pick<TestFile, 'text'>[],
): HiddenSource | null {
  const edits = code.flatMap(file =>
    hidden(
      file,
      tests.map(({ text }) => text),
    ),
  );
  if (edits.length === 0) return null;
  return { of: 'head', edits: new Map(edits), loads: !edits.some(([path]) => SCRIPT.test(path)) };
}

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;

function hidden(file: ChangedFile, tests: readonly string[]): Edits {
  const { path, head } = file;
  if (head === null) return [];
  if (path.endsWith('.py')) return [[path, Buffer.from(hiddenPython(head))]];
  if (path.endsWith('.go'))
    return [
      [path, null],
      [renamed(path), Buffer.from(head)],
    ];
  return SCRIPT.test(path) ? hiddenScript(file, head, tests) : [];
}

/** `__file__` may be unset, depending on the program that runs the file. */
const hiddenPython = (head: string): string =>
  `exec(compile(b'${escaped(head)}', globals().get('__file__', ''), 'exec', dont_inherit=True))\n`;

/** Encodes the code so that its text cannot be read; line numbers in errors stay the same. */
const escaped = (code: string): string => Buffer.from(code).toString('hex').replace(/../g, String.raw`\x$&`);

/**
 * A name that no other file has. In Go, the end of a name such as `file_linux.go` has a meaning, and files are
 * initialized in the order of their names.
 */
function renamed(path: string): string {
  const { dir, base } = posix.parse(path);
  return posix.join(dir, base.replace(/^[^_.]+/, '$&0hidden'));
}

/** Matches code that depends on the name of its file, or that another file cannot export. */
const BOUND_TO_FILE = /^#!|\bimport\.meta\b|\bexport\s*=|\bimport\s+\w+\s*=|\.d\.[cm]?ts$/;

function hiddenScript({ path, language }: ChangedFile, head: string, tests: readonly string[]): Edits {
  if (language.grammar === null || syntaxErrors(head, language) > 0) return [];
  if (BOUND_TO_FILE.test(head) || BOUND_TO_FILE.test(path)) return [];
  const { topNode } = language.grammar.parser.parse(head);
  const statements = topNode.getChildren('ExportDeclaration');
  if (statements.length === 0) return hiddenCommonJs(path, head, topNode);
  const other = renamed(path);
  const from = JSON.stringify(`./${nameInImports(path, head, tests)}`);
  const own = statements.some(each => isDefault(each, head)) ? `export { default } from ${from};\n` : '';
  return [
    [path, Buffer.from(`export * from ${from};\n${own}`)],
    [other, Buffer.from(head)],
  ];
}

/** The evaluated code sees the file's `module`, `exports` and `require`. */
function hiddenCommonJs(path: string, head: string, top: SyntaxNode): Edits {
  const isCommonJs = /\.c?js$/.test(path) && /\b(?:module\.exports|exports\.\w+)\b/.test(head);
  const text = [
    ...Buffer.from(head, 'utf16le')
      .toString('hex')
      .matchAll(/(..)(..)/g),
  ];
  const code = text.map(([, low, high]) => String.raw`\u${high}${low}`).join('');
  return isCommonJs ? [[path, Buffer.from(`eval('${code}');\n${namedExports(top, head)}`)]] : [];
}

/** Lists exports in code that never runs: ES modules can import only what Node finds in the text of a CommonJS file. */
function namedExports(top: SyntaxNode, code: string): string {
  const names = new Set<string>();
  const sources: string[] = [];
  const textOf = ({ from, to }: SyntaxNode) => code.slice(from, to);
  top.cursor().iterate(({ name, node }) => {
    const exported = name === 'AssignmentExpression' && EXPORTS.exec(textOf(node.firstChild!))?.groups;
    if (!exported) return;
    const value = node.lastChild!;
    if (exported['name']) names.add(exported['name']);
    else if (textOf(value).startsWith('require(')) sources.push(textOf(value));
    else
      for (const property of value.getChildren('Property')) {
        const key = property.getChild('PropertyDefinition');
        const source = property.getChild('Spread')?.nextSibling;
        if (key) names.add(textOf(key));
        else if (source && textOf(source).startsWith('require(')) sources.push(textOf(source));
      }
  });
  const assigned = [...names].map(name => `exports.${name} = `).join('');
  const others = sources.map(source => `...${source}`).join(', ');
  return [
    ...(names.size > 0 ? [`0 && (${assigned}0);\n`] : []),
    ...(sources.length > 0 ? [`0 && (module.exports = { ${others} });\n`] : []),
  ].join('');
}

const EXPORTS = /^(?:module\.)?exports(?:\.(?<name>[\w$]+))?$/;

const isDefault = (statement: SyntaxNode, code: string): boolean =>
  statement.getChild('default') !== null ||
  statement.getChildren('ExportGroup').some(({ from, to }) => /\bdefault\s*[,}]/.test(code.slice(from, to)));

const TYPED = /\.([cm]?)tsx?$/;
const IMPORT = /(?<!\b(?:import|export)\s+type\b[^;'"]*)\b(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g;
const NOT_CODE = /\.(?:json|css|s[ac]ss|less|svg|html|vue|svelte|graphql|node)$/;

/**
 * The name of the hidden file as imports write it: in TypeScript, they may name the compiled file, or omit the
 * extension. If the file has no imports, those in its tests decide.
 */
function nameInImports(path: string, head: string, tests: readonly string[]): string {
  const name = posix.basename(renamed(path));
  if (!TYPED.test(name)) return name;
  const importsIn = (text: string) => [...text.matchAll(IMPORT)].map(([, imported]) => imported!);
  const stem = (file: string) => posix.parse(file).name;
  const ofFile = tests.flatMap(importsIn).filter(imported => stem(imported) === stem(path));
  const [found] = [...importsIn(head), ...ofFile].filter(imported => !NOT_CODE.test(imported));
  if (found === undefined || TYPED.test(found)) return name;
  return name.replace(TYPED, /\.[cm]?jsx?$/.test(found) ? '.$1js' : '');
}
