/**
 * Resolves a command to the programs it runs: `npm test` to its script with `pre` and `post` scripts, and so on. This
 * module is pure. A command that is not a plain `a && b && c` is one unit whose programs are unknown.
 */

import { globPattern } from '../../formats/text/text-patterns.ts';
import { parseShell } from '../shell-syntax.ts';
import { purposeOf } from './known-programs.ts';

export type Scripts = Readonly<Record<string, string>>;

/** A command to run in the folder of package.json, and the words of each program it starts, in order. */
export interface ScriptPart {
  readonly command: string;
  /** The script that the command calls by name. */
  readonly script?: string;
  readonly programs: readonly (readonly string[])[];
}

const MAX_DEPTH = 5;
const PIECE = /(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^&'"\\]|(?<=[<>])&)+/g;

/** Splits `a && b && c` into its parts, each with its words; null for any other command. */
export function chained(command: string): { text: string; words: readonly string[] }[] | null {
  const [chain, ...more] = parseShell(command) ?? [];
  if (!chain || more.length > 0) return null;
  const words = chain.map(({ joint, pipeline }) => {
    const [only, ...others] = pipeline;
    return joint === '||' || others.length > 0 || !only || !('words' in only)
      ? null
      : only.words.map(word => word.text);
  });
  const texts = command.match(PIECE)?.map(text => text.trim()) ?? [];
  if (texts.length !== words.length) return null;
  return words.every(each => each !== null)
    ? words.map((each, n) => ({ text: texts[n]!, words: each }))
    : null;
}

/** Strips leading variable assignments and wrappers that only start another program. */
export function programName(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (/^[A-Za-z_]\w*=/.test(first)) return programName(words.slice(1));
  if (/^(?:cross-env|cross-env-shell|npx|c8|nyc|env|dotenv|time|nice)$/.test(first)) {
    const rest = words.slice(1);
    const candidates = rest.flatMap((word, n) => (word.startsWith('-') ? [] : [rest.slice(n)]));
    // A word before the program may be the value of an option: `c8 --reporter lcov npm run unit`.
    const started = candidates.find(isKnown) ?? candidates[0];
    return started ? programName(started) : words;
  }
  // `pnpm vitest run` runs a program from a package.
  if (/^(?:pnpm|yarn)$/.test(first) && purposeOf(words.slice(1)) !== null) return words.slice(1);
  return /^(?:npm|pnpm|yarn)$/.test(first) && second === 'exec'
    ? programName(words.slice(2).filter(word => word !== '--'))
    : words;
}

const isKnown = (words: readonly string[]): boolean =>
  /^(?:npm|npx|pnpm|yarn|bun|node|cross-env|c8|nyc)$/.test(words[0]!) || purposeOf(words) !== null;

export interface ProgramCall {
  readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun' | 'run';
  readonly scripts: readonly string[];
}

/** Finds the scripts that a command runs by name; null when it runs none. */
export function programCalls(words: readonly string[], scripts: Scripts): ProgramCall | null {
  const isScript = /^(?:pnpm|yarn)$/.test(words[0] ?? '') && words[1]! in scripts;
  const [manager = '', ...rest] = isScript ? words : programName(words);
  if (/^(?:run-s|run-p|npm-run-all)$/.test(manager)) {
    return group(rest.filter(word => !word.startsWith('-')).flatMap(word => matching(word, scripts)));
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return null;
  const [verb = '', ...more] = rest.filter(word => !/^(?:-s|--silent)$/.test(word));
  const named = /^(?:run|run-script)$/.test(verb)
    ? more.find(word => !word.startsWith('-'))
    : short(manager, verb);
  if (named === undefined) return null;
  if (manager === 'pnpm' && /^\/.+\/$/.test(named)) return group(allMatching(named, scripts));
  return named in scripts ? { manager: manager as ProgramCall['manager'], scripts: [named] } : null;
}

const group = (names: readonly string[]): ProgramCall | null =>
  names.length > 0 ? { manager: 'run', scripts: names } : null;

/** Handles `npm test`, `npm t`, and pnpm and yarn followed by the name of any script. */
const short = (manager: string, verb: string): string | undefined => {
  if (/^(?:t|tst|test)$/.test(verb) && manager !== 'bun') return 'test';
  return manager === 'pnpm' || manager === 'yarn' ? verb : undefined;
};

/** `lint:*` matches the scripts of that group; `lint:**` also matches those of nested groups. */
function matching(pattern: string, scripts: Scripts): string[] {
  if (!pattern.includes('*')) return pattern in scripts ? [pattern] : [];
  const names = globPattern(pattern, ':');
  return Object.keys(scripts).filter(name => names.test(name));
}

/** `pnpm run "/^test:/"` runs every script whose name matches. */
function allMatching(pattern: string, scripts: Scripts): string[] {
  try {
    const expression = new RegExp(pattern.slice(1, -1));
    return Object.keys(scripts).filter(name => expression.test(name));
  } catch {
    return [];
  }
}

/** Lists the units of a script in execution order, including its `pre` and `post` scripts. */
export const unitsOfScript = (
  name: string,
  scripts: Scripts,
  run: (script: string) => string,
): ScriptPart[] => textsOf(name, scripts).flatMap(text => unitsOf(text, scripts, run, name));

function unitsOf(
  text: string,
  scripts: Scripts,
  run: (script: string) => string,
  within: string,
): ScriptPart[] {
  const parts = chained(text);
  if (parts === null) return [{ command: text, programs: [] }];
  return parts.flatMap(part => {
    const call = programCalls(part.words, scripts);
    // The call runs a group of scripts; each script becomes a separate unit.
    if (call?.manager === 'run')
      return call.scripts.map(script => ({
        command: run(script),
        script,
        programs: programsOf(run(script), scripts),
      }));
    const [script] = call?.scripts ?? [];
    if (script === within) return [{ command: part.text, programs: [] }];
    return [{ command: part.text, ...(script && { script }), programs: programsOf(part.text, scripts) }];
  });
}

/** Lists all programs that a command starts, including those of scripts that can be resolved. */
export function programsOf(command: string, scripts: Scripts, depth = 0): readonly (readonly string[])[] {
  if (depth > MAX_DEPTH) return [];
  return (chained(command) ?? []).flatMap(({ words }) => {
    const call = programCalls(words, scripts);
    if (call === null) return [programName(words)];
    const texts = call.scripts.flatMap(name => textsOf(name, scripts));
    return texts.flatMap(text => programsOf(text, scripts, depth + 1));
  });
}

const textsOf = (name: string, scripts: Scripts): string[] =>
  [`pre${name}`, name, `post${name}`].flatMap(each => scripts[each] ?? []);
