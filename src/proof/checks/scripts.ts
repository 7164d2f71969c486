/**
 * What a command of package.json comes down to: `npm test` is its script, with the scripts around it, and so on to the
 * programs that are run. Pure. What is not a plain `a && b && c` is one unit and nothing is said about its inside.
 */
import { parseShell } from '../shell-syntax.ts';
import { purposeOf } from './runners.ts';

export type Scripts = Readonly<Record<string, string>>;

/** A command as it can be run where package.json lies, and the words of each program it starts, in order. */
export interface Unit {
  readonly command: string;
  readonly programs: readonly (readonly string[])[];
}

const DEEPEST = 5;
const PIECE = /(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^&'"\\]|(?<=[<>])&)+/g;

/** The parts of `a && b && c`, each with its words; null when the command is anything else. */
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

/** Words without variables that are set before, and without programs that only start another. */
export function program(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (/^[A-Za-z_]\w*=/.test(first)) return program(words.slice(1));
  if (/^(?:cross-env|cross-env-shell|npx|c8|nyc|env|dotenv|time|nice)$/.test(first)) {
    const rest = words.slice(1);
    const candidates = rest.flatMap((word, n) => (word.startsWith('-') ? [] : [rest.slice(n)]));
    // A word before that may be the value of an option: `c8 --reporter lcov npm run unit`.
    const started = candidates.find(isKnown) ?? candidates[0];
    return started ? program(started) : words;
  }
  return /^(?:npm|pnpm|yarn)$/.test(first) && second === 'exec'
    ? program(words.slice(2).filter(word => word !== '--'))
    : words;
}

const isKnown = (words: readonly string[]): boolean =>
  /^(?:npm|npx|pnpm|yarn|bun|node|cross-env|c8|nyc)$/.test(words[0]!) || purposeOf(words) !== null;

export interface Call {
  readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun' | 'run';
  readonly scripts: readonly string[];
}

/** The scripts that a command runs by name; null when it runs none. */
export function calls(words: readonly string[], scripts: Scripts): Call | null {
  const [manager = '', ...rest] = program(words);
  if (/^(?:run-s|run-p|npm-run-all)$/.test(manager)) {
    const names = rest.filter(word => !word.startsWith('-')).flatMap(word => matching(word, scripts));
    return names.length > 0 ? { manager: 'run', scripts: names } : null;
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return null;
  const [verb = '', ...more] = rest.filter(word => !/^(?:-s|--silent)$/.test(word));
  const named = /^(?:run|run-script)$/.test(verb)
    ? more.find(word => !word.startsWith('-'))
    : short(manager, verb);
  return named !== undefined && named in scripts
    ? { manager: manager as Call['manager'], scripts: [named] }
    : null;
}

/** `npm test` and `npm t`, and any script's name after pnpm and yarn. */
const short = (manager: string, verb: string): string | undefined => {
  if (/^(?:t|tst|test)$/.test(verb) && manager !== 'bun') return 'test';
  return manager === 'pnpm' || manager === 'yarn' ? verb : undefined;
};

/** `lint:*` is every script of that group, `lint:**` those below as well. */
function matching(pattern: string, scripts: Scripts): string[] {
  if (!pattern.includes('*')) return pattern in scripts ? [pattern] : [];
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*/g, '\u0000')
    .replace(/\*/g, '[^:]*')
    .replaceAll('\u0000', '.*');
  return Object.keys(scripts).filter(name => new RegExp(`^${source}$`).test(name));
}

/** The units of a script in the order in which they run, `pre` and `post` scripts with it. */
export const unitsOfScript = (name: string, scripts: Scripts, run: (script: string) => string): Unit[] =>
  [`pre${name}`, name, `post${name}`].flatMap(each =>
    scripts[each] === undefined ? [] : unitsOf(scripts[each], scripts, run, name),
  );

function unitsOf(text: string, scripts: Scripts, run: (script: string) => string, within: string): Unit[] {
  const parts = chained(text);
  if (parts === null) return [{ command: text, programs: [] }];
  return parts.flatMap(part => {
    const call = calls(part.words, scripts);
    // More than one script in a call: each is a unit of its own.
    if (call?.manager === 'run')
      return call.scripts.map(script => ({
        command: run(script),
        programs: programsOf(run(script), scripts),
      }));
    const [script] = call?.scripts ?? [];
    if (script === within) return [{ command: part.text, programs: [] }];
    return [{ command: part.text, programs: programsOf(part.text, scripts) }];
  });
}

/** Everything that a command starts in the end, as far as it can be followed. */
export function programsOf(command: string, scripts: Scripts, depth = 0): readonly (readonly string[])[] {
  if (depth > DEEPEST) return [];
  return (chained(command) ?? []).flatMap(({ words }) => {
    const call = calls(words, scripts);
    if (call === null) return [program(words)];
    return call.scripts.flatMap(name =>
      [`pre${name}`, name, `post${name}`].flatMap(each => {
        const text = scripts[each];
        return text === undefined ? [] : programsOf(text, scripts, depth + 1);
      }),
    );
  });
}
