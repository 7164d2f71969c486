/**
 * Determines whether exit code 0 of a shell command means that all of its parts succeeded. Pure: it depends on the
 * text of the command alone. Any syntax it cannot interpret with certainty is assumed to hide failures.
 */
import {
  type List,
  parseShell,
  type ShellChain,
  type ShellCommand,
  type ShellPipeline,
  type Simple,
} from './shell-syntax.ts';

/** Shell options that have been set so far. */
interface Shell {
  errexit: boolean;
  pipefail: boolean;
}

export const revealsFailure = (command: string): boolean =>
  reveals(command, { errexit: false, pipefail: false });

function reveals(command: string, shell: Shell): boolean {
  const list = parseShell(command);
  return list !== null && list.length > 0 && listReveals(list, shell, true);
}

/** `errexitApplies` is false where the shell ignores `set -e`: in all but the last part of a chain. */
function listReveals(list: List, shell: Shell, errexitApplies: boolean): boolean {
  return list.every((chain, n) => {
    const last = n === list.length - 1;
    if (setsOptions(chain, shell) || chain.every(({ pipeline }) => pipeline.every(isHarmless))) return true;
    const ends = chain.at(-1)!.joint === '||' || (shell.errexit && errexitApplies && chain.length === 1);
    return chainReveals(chain, shell, errexitApplies) && (last || ends);
  });
}

/** `a && b` reports a failure of either. `a || b` hides a failure of `a` unless `b` fails too. */
const chainReveals = (chain: ShellChain, shell: Shell, errexitApplies: boolean): boolean =>
  chain.every(({ joint, pipeline }, n) =>
    joint === '||'
      ? isRefusal(pipeline)
      : pipelineReveals(pipeline, shell, errexitApplies && n === chain.length - 1),
  );

/** The last command of a pipeline sets the exit code; failures of the others are hidden unless `pipefail` is set. */
const pipelineReveals = (pipeline: ShellPipeline, shell: Shell, errexitApplies: boolean): boolean =>
  pipeline.every(
    (command, n) =>
      (commandReveals(command, shell, errexitApplies) && (shell.pipefail || n === pipeline.length - 1)) ||
      (n < pipeline.length - 1 && isHarmless(command)),
  );

function commandReveals(command: ShellCommand, shell: Shell, errexitApplies: boolean): boolean {
  if ('subshell' in command) return listReveals(command.subshell, { ...shell }, errexitApplies);
  const words = withoutAssignments(command.words);
  const [name] = words;
  if (name === undefined) return true;
  if (name.expands || HIDES_FAILURE.has(name.text)) return false;
  if (name.text === 'set') return words.every(({ text }) => !text.startsWith('+'));
  if (name.text === 'find') return isHarmless(command);
  return words.every((word, n) => !SHELLS.test(word.text) || shellReveals(words.slice(n + 1)));
}

/** Handles `sh -c '…'` and similar. Script files are not examined. */
function shellReveals(words: Simple): boolean {
  const shell: Shell = { errexit: false, pipefail: false };
  const options = words.slice(0, readOptions(words, shell));
  if (options.some(({ text }) => text.startsWith('--'))) return false;
  if (!options.some(({ text }) => /^-[a-z]*c/i.test(text))) return true;
  const script = words[options.length];
  return script !== undefined && !script.expands && reveals(script.text, shell);
}

/**
 * Handles `set -e` and `set -o pipefail` as separate commands. A shell that does not know an option exits with a
 * failure.
 */
function setsOptions(chain: ShellChain, shell: Shell): boolean {
  const [command, ...more] = chain[0]!.pipeline;
  if (chain.length > 1 || more.length > 0 || !command || !('words' in command)) return false;
  const [name, ...options] = command.words;
  if (name?.text !== 'set' || options.some(({ text, expands }) => expands || text.startsWith('--')))
    return false;
  return readOptions(options, shell) === options.length;
}

/** Applies the leading options to `shell` and returns how many words they take up. */
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

/** Whether the pipeline is only an `exit` that reports a failure. */
function isRefusal([command, ...more]: ShellPipeline): boolean {
  if (more.length > 0 || !command || !('words' in command)) return false;
  const [name, code] = command.words.map(word => word.text);
  return name === 'exit' && (code === undefined || code === '$?' || (Number(code) > 0 && Number(code) < 256));
}

/** Whether the command never runs tests, but only prepares or prints something, so that its failure does not matter. */
function isHarmless(command: ShellCommand): boolean {
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
/** Words that start syntax not parsed here, invert an exit code, or hide the exit code of another command. */
const HIDES_FAILURE = new Set(
  '! { } alias case coproc do done elif else esac eval fi for function if script select then time trap until while'.split(
    ' ',
  ),
);
