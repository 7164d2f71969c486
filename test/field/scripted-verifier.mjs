/**
 * The scripted Verifier. Usage: scripted-verifier.mjs SCRIPT.json, in the folder of a run. It takes the test command from its prompt,
 * like an agent that may not run commands, and the import from a test of the project. It writes its test to the folder
 * named in the prompt, and `test-config.json`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

const script = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const prompt = readFileSync('prompts/verifier.md', 'utf8');

const existing = existingTest(script.existing);
const imported = new RegExp(script.imports).exec(existing)?.[1];
if (!imported) throw new Error(`${script.existing} imports nothing like ${script.imports}`);

const file = join('verifier/tests', script.place);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, script.test.replaceAll('{{import}}', imported));

const beginning = new RegExp(`^${script.command}( |$)`);
const commands = [...prompt.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
const command = commands.find(code => beginning.test(code) && /FILES|NAME|PACKAGE/.test(code));
if (!command) throw new Error(`the prompt has no command that begins with ${script.command}`);
const test_framework = ['vitest', 'jest', 'mocha'].find(name => command.startsWith(name)) ?? 'custom';
writeFileSync('verifier/test-config.json', JSON.stringify({ test_framework, test_command: ofTest(command) }));

/** The file in the Builder's result, or in the base if the Builder removed it. */
function existingTest(path) {
  const there = join('builder/output', path);
  if (existsSync(there)) return readFileSync(there, 'utf8');
  const git = (...args) => execFileSync('git', ['-C', 'builder/output', ...args], { encoding: 'utf8' });
  const last = git('log', '-1', '--diff-filter=AM', '--format=%H', '--', path).trim();
  return git('show', `${last}:${path}`);
}

/** The test command in the prompt, with this script's test as its argument. */
function ofTest(command) {
  return command
    .replace('FILES', script.run)
    .replace('--test NAME', `--test ${basename(script.run, '.rs')}`)
    .replace('./PACKAGE', `./${dirname(script.run)}`)
    .replace("'TestA|TestB'", /func (Test\w+)/.exec(script.test)?.[1] ?? '.');
}
