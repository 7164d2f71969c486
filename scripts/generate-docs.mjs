/**
 * Generates the reference pages of docs/: commands.md from oclif.manifest.json, configuration.md from
 * schemas/config-*.json, errors.md from the table in src/errors.ts. A test checks that they are up to date.
 * The functions are pure; only the last lines write files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandHelp } from '@oclif/core';

const GENERATED = 'Written by `node scripts/generate-docs.mjs`; changes here are lost.';
const cell = text => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

/** Flags that every command has. */
const GLOBAL = ['json', 'project'];

export function commandsPage({ commands }) {
  const shown = Object.values(commands)
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(rendered);
  const { json, project } = commands.status.flags;
  return [
    '# Commands',
    `<!-- ${GENERATED} -->`,
    'Arguments and flags of each command; `dure help COMMAND` prints the same. Commands that act on a run use the newest run by default.',
    table(
      ['command', ''],
      shown.map(one => [`[\`dure ${nameOf(one)}\`](#${anchorOf(one)})`, cell(summaryOf(one))]),
    ),
    'All commands of Dure itself have these flags:',
    flagTable([json, project]),
    'With `--json`, standard output is one JSON value (see [scripting.md](scripting.md)). Exit statuses are in [errors.md](errors.md).',
    ...shown.flatMap(section),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** Command texts are templates; they are rendered as in oclif's help. */
function rendered(one) {
  const { render } = new CommandHelp({ ...one, id: nameOf(one) }, { bin: 'dure', pjson: { oclif: {} } }, {});
  return JSON.parse(JSON.stringify(one), (_, value) =>
    typeof value === 'string' && value.includes('<%') ? render(value) : value,
  );
}

const nameOf = ({ id }) => id.replaceAll(':', ' ');
const anchorOf = one => `dure-${nameOf(one).replaceAll(' ', '-')}`;
const summaryOf = ({ summary, description = '' }) => summary ?? description.split('\n')[0];

function section(one) {
  const { description, args = {}, flags = {}, examples = [] } = one;
  const own = Object.values(flags).filter(flag => !flag.hidden && !GLOBAL.includes(flag.name));
  const more =
    description && description !== summaryOf(one) ? description.replace(`${summaryOf(one)}\n`, '') : '';
  return [
    `## dure ${nameOf(one)}`,
    summaryOf(one).trim(),
    ...(more ? [more.trim()] : []),
    `\`\`\`text\n${usageOf(one, own)}\n\`\`\``,
    ...(Object.keys(args).length > 0
      ? [
          table(
            ['argument', ''],
            Object.values(args).map(arg => [
              `\`${arg.name.toUpperCase()}\``,
              cell(aboutOf({ ...arg, multiple: false })),
            ]),
          ),
        ]
      : []),
    ...(own.length > 0 ? [flagTable(own)] : []),
    ...(examples.length > 0 ? [`\`\`\`sh\n${examples.map(shownExample).join('\n')}\n\`\`\``] : []),
  ];
}

function usageOf(one, flags) {
  const args = Object.values(one.args ?? {}).map(({ name, required, multiple }) => {
    const shown = `${name.toUpperCase()}${multiple ? '...' : ''}`;
    return required ? shown : `[${shown}]`;
  });
  return ['dure', nameOf(one), ...args, ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
}

function shownExample(example) {
  const { command, description } = typeof example === 'string' ? { command: example } : example;
  const line = command.trim().replace(/^\$ /, '');
  return description ? `# ${description}\n${line}` : line;
}

const flagTable = flags =>
  table(
    ['flag', ''],
    flags.map(flag => [flagName(flag), cell(aboutOf(flag))]),
  );

function flagName({ name, char, type, allowNo, helpValue, options }) {
  const long = allowNo ? `--[no-]${name}` : `--${name}`;
  const value = type === 'option' ? ` ${options?.join('|') ?? helpValue ?? 'VALUE'}` : '';
  return [...(char ? [`\`-${char}\``] : []), `\`${long}${value}\``.replaceAll('|', '\\|')].join(', ');
}

function aboutOf({ summary, description, default: standard, options, multiple }) {
  const about = (summary ?? description ?? '').trim();
  const isSaid = /default/i.test(about) || standard === undefined || standard === false || standard === '';
  return [
    about.replace(/\.?$/, about ? '.' : ''),
    options && `One of ${options.map(option => `\`${option}\``).join(', ')}.`,
    !isSaid && standard !== true && `Default: \`${standard}\`.`,
    multiple && !/repeat/.test(about) && 'May be repeated.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The files of .dure/config, in the order of the page. */
export const CONFIG_FILES = ['global', 'refiner', 'builder', 'verifier', 'gatekeeper'];

/** `schemas` are those of the files, in the order of CONFIG_FILES. */
export function configurationPage(schemas) {
  return [
    '# Configuration',
    `<!-- ${GENERATED} -->`,
    'Settings are in five JSON files in `.dure/config`, which are meant to be committed. `dure init` writes them. A missing key has its default, and an unknown key is an error (`E_CONFIG`).',
    '```sh\ndure config get builder.model\ndure config set builder.model opus\ndure config check\n```',
    'Keys of `global.json` are written without the file name (`max_iterations`), all others with it (`builder.model`). You can also change settings on the settings page or in an editor; the JSON Schemas are `schemas/config-*.json`. Plugins have their own sections in `global.json`, under their names: see [plugins.md](plugins.md#configuration). Limits, criteria, the set-up command and the steps are fixed when a run starts; everything else is read when a process begins to drive the run.',
    ...schemas.flatMap((schema, i) => configSection(CONFIG_FILES[i], schema)),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const configSection = (file, schema) => [
  `## ${file}.json`,
  schema.description,
  table(
    ['key', 'type', 'default', 'meaning'],
    settingsOf(schema).map(([key, setting]) => [
      `\`${key}\``,
      cell(typeOf(setting)),
      setting.default === undefined ? '' : cell(`\`${JSON.stringify(setting.default)}\``),
      cell(sentence(setting.description ?? '')),
    ]),
  ),
];

/** Returns every setting with its key. A list of objects is followed by the settings of its items. */
export function settingsOf({ properties = {} }, above = '') {
  return Object.entries(properties).flatMap(([name, of]) => {
    const key = `${above}${name}`;
    if (of.properties) return settingsOf(of, `${key}.`);
    return [[key, of], ...(of.items?.properties ? settingsOf(of.items, `${key}[].`) : [])];
  });
}

function typeOf({ type, enum: values, items, anyOf, minimum, exclusiveMinimum, maximum, pattern }) {
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (values) return values.map(value => `\`${JSON.stringify(value)}\``).join(' or ');
  if (type === 'array')
    return items.properties ? 'list of objects' : `list of ${typeOf(items).replace(/^string\b/, 'strings')}`;
  const range = rangeOf(minimum ?? exclusiveMinimum, maximum, exclusiveMinimum !== undefined);
  return [[type].flat().join(' or '), range, pattern && `matching \`${pattern}\``].filter(Boolean).join(' ');
}

function rangeOf(least, most, isAbove) {
  if (least === undefined && most === undefined) return '';
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) return `${isAbove ? 'above' : 'from'} ${least}`;
  return `${isAbove ? 'above' : 'from'} ${least} to ${most}`;
}

const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;

const ENDINGS = [
  ['done', 0, 'Success. For `start` and `wait`: completed, or ready for a person.'],
  ['failed', 1, 'Something failed: the run, a file operation, git, the disk.'],
  ['usage', 2, 'The command line or the configuration is invalid, for example a flag, a name or a setting.'],
  ['waiting', 3, 'A person has to decide first.'],
  ['refused', 4, 'Not allowed, or not possible now; nothing was changed.'],
  ['interrupted', 5, 'The command or the run was stopped, or no process is driving the run.'],
];

/** `errors` is the module src/errors.ts. */
export function errorsPage({ ERROR_CODES, EXIT, dureError }) {
  const told = [...ERROR_CODES].sort().map(code => dureError(code, anything));
  for (const name of Object.keys(EXIT))
    if (!ENDINGS.some(([known, exit]) => known === name && exit === EXIT[name]))
      throw new Error(`scripts/generate-docs.mjs does not describe the exit status ${name} (${EXIT[name]})`);
  return [
    '# Errors and exit statuses',
    `<!-- ${GENERATED} -->`,
    'An error has a code, a message and suggestions. Without `--json` it is printed to standard error; with `--json` it is the value on standard output, `{ "ok": false, "version": 1, "error": { "code", "message", "exit", "suggestions" } }`. The exit status is the same in both cases. Words in capitals below are placeholders.',
    '## Exit statuses',
    table(
      ['status', 'meaning'],
      [
        ...ENDINGS.map(([, exit, meaning]) => [String(exit), meaning]),
        ['130', 'Ctrl-C (`E_SIGNAL`). A run that was being followed continues.'],
        ['143', 'Ended by SIGTERM (`E_SIGNAL`).'],
      ],
    ),
    'Four codes are not listed below. `E_USAGE`: the command line is invalid (usually 2; see the message). `E_COMMAND`: a command of an installed plugin failed, with its own exit status. `E_BUG`: a bug in Dure; without `--json` its stack trace is printed (1). `E_SIGNAL`: see above.',
    ...ENDINGS.flatMap(([, exit, meaning]) => {
      const here = told.filter(error => error.exit === exit);
      return here.length > 0 ? [`## Exit status ${exit}`, meaning, ...here.flatMap(entry)] : [];
    }),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const entry = ({ code, message, suggestions }) => [
  `### ${code}`,
  message
    .trim()
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n'),
  ...(suggestions.length > 0 ? [suggestions.map(text => `- ${text}`).join('\n')] : []),
];

/** A placeholder context: each key is shown as its name in capitals. */
const anything = new Proxy({}, { get: (_, key) => String(key).toUpperCase() });

/** src/errors.ts imports nothing, so it can be bundled alone and imported from memory. */
async function errorTable(root) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input: join(root, 'src', 'errors.ts'), platform: 'node' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '..');
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
  writeFileSync(join(root, 'docs', 'commands.md'), commandsPage(manifest));
  const schemas = CONFIG_FILES.map(file =>
    JSON.parse(readFileSync(join(root, 'schemas', `config-${file}.json`), 'utf8')),
  );
  writeFileSync(join(root, 'docs', 'configuration.md'), configurationPage(schemas));
  writeFileSync(join(root, 'docs', 'errors.md'), errorsPage(await errorTable(root)));
}
