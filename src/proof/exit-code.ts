/**
 * Whether a shell command that ends with 0 says that all in it went well. Pure, and the same on every machine: it
 * looks at the command alone, and what it does not surely understand tells nothing.
 */
import {
  type Chain,
  type Command,
  type List,
  type Pipeline,
  parseShell,
  type Simple,
} from './shell-syntax.ts';

/** What `set` has turned on so far. */
interface Shell {
  errexit: boolean;
  pipefail: boolean;
}

export const tellsFailure = (command: string): boolean => tells(command, { errexit: false, pipefail: false });

function tells(command: string, shell: Shell): boolean {
  const list = parseShell(command);
  return list !== null && list.length > 0 && listTells(list, shell, true);
}

/** `heeded` is false where the shell passes over `set -e`: in all but the last part of a chain. */
function listTells(list: List, shell: Shell, heeded: boolean): boolean {
  return list.every((chain, n) => {
    const last = n === list.length - 1;
    if (turned(chain, shell) || chain.every(({ pipeline }) => pipeline.every(isHarmless))) return true;
    const ends = chain.at(-1)!.joint === '||' || (shell.errexit && heeded && chain.length === 1);
    return chainTells(chain, shell, heeded) && (last || ends);
  });
}

/** `a && b` tells of both. `a || b` tells of `b` alone, unless `b` is there to end the shell with a failure. */
const chainTells = (chain: Chain, shell: Shell, heeded: boolean): boolean =>
  chain.every(({ joint, pipeline }, n) =>
    joint === '||' ? isRefusal(pipeline) : pipelineTells(pipeline, shell, heeded && n === chain.length - 1),
  );

/** The last command of a pipeline decides; those before it may fail unheard. */
const pipelineTells = (pipeline: Pipeline, shell: Shell, heeded: boolean): boolean =>
  pipeline.every(
    (command, n) =>
      (commandTells(command, shell, heeded) && (shell.pipefail || n === pipeline.length - 1)) ||
      (n < pipeline.length - 1 && isHarmless(command)),
  );

function commandTells(command: Command, shell: Shell, heeded: boolean): boolean {
  if ('subshell' in command) return listTells(command.subshell, { ...shell }, heeded);
  const words = withoutAssignments(command.words);
  const [name] = words;
  if (name === undefined) return true;
  if (name.expands || DECEIVING.has(name.text)) return false;
  if (name.text === 'set') return words.every(({ text }) => !text.startsWith('+'));
  if (name.text === 'find') return isHarmless(command);
  return words.every((word, n) => !SHELLS.test(word.text) || shellTells(words.slice(n + 1)));
}

/** `sh -c '…'` and its like. What a script file does is its own affair. */
function shellTells(words: Simple): boolean {
  const shell: Shell = { errexit: false, pipefail: false };
  const options = words.slice(0, readOptions(words, shell));
  if (options.some(({ text }) => text.startsWith('--'))) return false;
  if (!options.some(({ text }) => /^-[a-z]*c/i.test(text))) return true;
  const script = words[options.length];
  return script !== undefined && !script.expands && tells(script.text, shell);
}

/** `set -e` and `set -o pipefail` on their own: a shell that does not know an option ends there with a failure. */
function turned(chain: Chain, shell: Shell): boolean {
  const [command, ...more] = chain[0]!.pipeline;
  if (chain.length > 1 || more.length > 0 || !command || !('words' in command)) return false;
  const [name, ...options] = command.words;
  if (name?.text !== 'set' || options.some(({ text, expands }) => expands || text.startsWith('--')))
    return false;
  return readOptions(options, shell) === options.length;
}

/** Sets what the options set, and gives back how many words they are. */
function readOptions(words: Simple, shell: Shell): number {
  let at = 0;
  for (; /^[-+]/.test(words[at]?.text ?? ''); at += 1) {
    const { text } = words[at]!;
    const on = text.startsWith('-');
    if (/^.[a-zA-Z]*e/.test(text)) shell.errexit = on;
    if (!/^.[a-zA-Z]*o$/.test(text)) continue;
    at += 1;
    const name = words[at]?.text;
    if (name === 'pipefail' || name === 'errexit') shell[name] = on;
  }
  return Math.min(at, words.length);
}

/** Ends the shell with a failure. */
function isRefusal([command, ...more]: Pipeline): boolean {
  if (more.length > 0 || !command || !('words' in command)) return false;
  const [name, code] = command.words.map(word => word.text);
  return name === 'exit' && (code === undefined || code === '$?' || (Number(code) > 0 && Number(code) < 256));
}

/** Never what tests: it prepares or prints, and whether it went well need not be known. */
function isHarmless(command: Command): boolean {
  if ('subshell' in command) return false;
  const [name, ...more] = withoutAssignments(command.words);
  if (name?.text === 'find') return !more.some(({ text }) => /^-(?:exec|ok)/.test(text));
  return name === undefined || (!name.expands && HARMLESS.has(name.text));
}

const withoutAssignments = (words: Simple): Simple => {
  const first = words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  return first < 0 ? [] : words.slice(first);
};

const SHELLS = /^(?:.*\/)?(?:sh|bash|dash|ash|ksh|zsh)$/;
const HARMLESS = new Set(
  ': cat cd chmod cp echo export ln mkdir mv printf pwd rm seq sleep touch true ulimit umask unset yes'.split(
    ' ',
  ),
);
/** Words that begin what is not read here, turn an exit code round, or run a command whose code they keep to themselves. */
const DECEIVING = new Set(
  '! { } alias case coproc do done elif else esac eval fi for function if script select then time trap until while'.split(
    ' ',
  ),
);
