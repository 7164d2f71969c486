/** Everything the documents mention exists: commands, flags, files, errors, events, links. */
import { readdirSync, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/errors.ts';
import { runEvent } from '../../src/formats/events/events.ts';
import { projectFiles, runFiles } from '../../src/formats/layout.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(packageRoot, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];
const read = (page: string) => readFileSync(join(packageRoot, page), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

interface Command {
  readonly flags: Readonly<Record<string, { readonly char?: string; readonly allowNo?: boolean }>>;
}
const { commands } = JSON.parse(read('oclif.manifest.json')) as { commands: Record<string, Command> };

/**
 * The `dure` calls in code blocks and inline code, split into words, with quoted text replaced by `…`: at the start
 * of a line, and after `&&`, `$(` and a pipe. `ask_dure` of examples/ci.sh counts as `dure`.
 */
function callsIn(text: string): string[][] {
  const code = [...text.matchAll(/^```(?:sh|text)?\n([\s\S]*?)^```|`([^`\n]+)`/gm)].map(
    m => m[1] ?? m[2] ?? '',
  );
  return code.flatMap(part =>
    [...part.matchAll(/(?:^|&& |\$\(|\| )(?:dure|ask_dure) ([^\n|;)#]+)/gm)].map(m =>
      m[1]!
        .replaceAll(/"[^"]*"|'[^']*'/g, '…')
        .trim()
        .split(/\s+/),
    ),
  );
}

function commandOf(words: readonly string[]): [id: string, command: Command] | null {
  const two = `${words[0]}:${words[1]}`;
  const id = two in commands ? two : words[0]!;
  const command = commands[id];
  return command ? [id, command] : null;
}

const knows = ({ flags }: Command, flag: string): boolean =>
  Object.entries(flags).some(
    ([name, { char, allowNo }]) =>
      flag === `--${name}` || flag === `-${char}` || (allowNo === true && flag === `--no-${name}`),
  );

test.each(PAGES)('every command and flag in %s exists', page => {
  const wrong = callsIn(read(page)).flatMap(words => {
    // Words in capitals are placeholders for a command.
    if (/^(-|[A-Z]+$)/.test(words[0]!)) return [];
    const found = commandOf(words);
    if (!found) return [`dure ${words[0]}`];
    const [id, command] = found;
    const flags = words.flatMap(word => /^(--?[a-z][a-z-]*)/.exec(word)?.[1] ?? []);
    return flags.filter(flag => !knows(command, flag)).map(flag => `dure ${id} ${flag}`);
  });
  expect(wrong).toEqual([]);
});

test('callsIn finds the dure commands in code blocks and inline code', () => {
  expect(callsIn('```sh\ncd x && dure start "a" --nope\n```\nand `dure bogus`')).toEqual([
    ['start', '…', '--nope'],
    ['bogus'],
  ]);
});

test.each(PAGES)('%s contains no unrendered template', page => {
  expect(read(page)).not.toContain('<%');
});

test.each(PAGES)('every link in %s has a target', async page => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(m => m[1]!);
  for (const link of links.filter(one => !/^https?:/.test(one))) {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? resolve(packageRoot, page) : resolve(packageRoot, dirname(page), path);
    await expect(access(file), `${page} -> ${link}`).resolves.toBeUndefined();
    if (anchor) expect(anchorsOf(readFileSync(file, 'utf8')), `${page} -> ${link}`).toContain(anchor);
  }
});

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(m =>
    m[1]!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test.each(PAGES)('every error code in %s exists', page => {
  const elsewhere = ['E_USAGE', 'E_COMMAND', 'E_BUG', 'E_SIGNAL'];
  const named = [...new Set(read(page).match(/\bE_[A-Z][A-Z_]+\b/g) ?? [])];
  expect(
    named.filter(code => !elsewhere.includes(code) && !(ERROR_CODES as string[]).includes(code)),
  ).toEqual([]);
});

test('docs/scripting.md lists every event and no others', () => {
  const table = read('docs/scripting.md').split('## Events')[1]!;
  const named = [...table.matchAll(/^\| (`[a-z]+\.[a-z].*?) \|/gm)].flatMap(m => m[1]!.split(' '));
  const known = runEvent.options.map(option => `\`${option.shape.type.value}\``);
  expect(named.sort()).toEqual(known.sort());
});

test('docs/scripting.md contains examples/ci.sh verbatim', () => {
  expect(read('docs/scripting.md')).toContain(`\`\`\`sh\n${read('examples/ci.sh')}\`\`\``);
});

/** Sample arguments for file names with a variable part. */
const ARGUMENTS: Record<string, readonly unknown[]> = {
  sealBundle: ['STEP', 'N'],
  configOf: ['global'],
  run: ['<run>'],
  crp: ['crp-001'],
  vcr: ['vcr-001'],
  feedbackOf: [1],
  unusedFeedback: [1, '<id>'],
  packOf: [1],
  request: ['approve'],
  doneOf: ['ROLE'],
  errorOf: ['ROLE'],
  logOf: ['ROLE'],
  resultsOf: ['verifier'],
  reviewOf: ['gatekeeper'],
  prompt: ['ROLE'],
  promptOf: ['ROLE', 'N'],
  stream: ['ROLE', 'N'],
  screen: ['ROLE', 'N'],
};
const namesOf = (files: object, root: string): string[] =>
  Object.entries(files)
    .map(([key, file]) =>
      typeof file === 'function'
        ? (file as (...args: unknown[]) => string)(...(ARGUMENTS[key] ?? ['N']))
        : file,
    )
    .map(file => String(file).slice(root.length + 1));

test('docs/files.md lists every file of a project and a run', () => {
  const page = read('docs/files.md');
  const run = namesOf(runFiles('/run'), '/run');
  const project = namesOf(projectFiles('/p'), '/p')
    .filter(name => name.startsWith('.dure/'))
    .map(name => name.slice('.dure/'.length));
  const names = [...run, ...project].filter(name => name !== '');
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter(name => !page.includes(`\`${name}`))).toEqual([]);
});

test('the recording in the README is small, states that it is a rehearsal, and loads nothing external', () => {
  const svg = read('docs/images/demo.svg');
  expect(svg.length).toBeLessThan(60_000);
  expect(svg).toContain('This is a rehearsal');
  expect(svg).toContain('Merged. That was a rehearsal.');
  expect(svg).not.toMatch(/<script|<foreignObject|href=|url\(|@import/);
});
