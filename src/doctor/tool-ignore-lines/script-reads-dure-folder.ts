/**
 * Determines from the scripts of package.json whether a tool that reads the files and folders named on its
 * command line would read `.dure/`. If that is unclear, the answer is yes.
 */
import { braceAlternatives, globPattern } from '../../formats/text/text-patterns.ts';
import { programCalls, type Scripts } from '../../proof/checks/command-programs.ts';
import { type List, parseShell, type Simple } from '../../proof/shell-syntax.ts';
import { scriptsOf } from '../../workspace/dependencies/node/node-project.ts';
import { packageOf, type RootFiles } from './look-up-in-root-files.ts';

/** A tool, and which of its options are followed by a value. */
interface CommandLine {
  readonly program: string;
  readonly valued: RegExp;
}

/** Whether scripts run the tool, and none of them names the root or a pattern that matches files under `.dure/`. */
export function scriptsNameOtherPaths(files: RootFiles, tool: CommandLine): boolean {
  const scripts = scriptsOf(packageOf(files));
  const reach = Object.values(scripts).flatMap(line => reaches(line, tool, scripts));
  return reach.length > 0 && !reach.includes(true);
}

/** Determines for each call of the tool whether that call would read `.dure/`. */
function reaches(line: string, { program, valued }: CommandLine, scripts: Scripts): boolean[] {
  const name = new RegExp(`(?:^|/)${program}(?:@[^/]*)?$`);
  const list = parseShell(line);
  if (list === null) return line.includes(program) ? [true] : [];
  return commandsIn(list).flatMap(words => {
    const texts = words.map(word => word.text);
    if (programCalls(texts, scripts) !== null) return [];
    const at = texts.findIndex(text => name.test(text));
    // The call may be inside an argument, as in `concurrently "prettier --check ."`.
    if (at < 0) return texts.some(text => text.includes(`${program} `)) ? [true] : [];
    return [readsDure(words.slice(at + 1), valued)];
  });
}

const commandsIn = (list: List): Simple[] =>
  list
    .flat()
    .flatMap(({ pipeline }) => pipeline)
    .flatMap(command => ('words' in command ? [command.words] : commandsIn(command.subshell)));

function readsDure(args: Simple, valued: RegExp): boolean {
  const paths = args.filter(({ text }, n) => !text.startsWith('-') && !valued.test(args[n - 1]?.text ?? ''));
  const patterns = paths.flatMap(({ text }) => braceAlternatives(text));
  if (patterns.some(pattern => /^!(?:\.\/)?\.dure(?:\/|$)/.test(pattern))) return false;
  const named = patterns.filter(pattern => !pattern.startsWith('!'));
  return named.length === 0 || paths.some(path => path.expands) || named.some(reachesDure);
}

/**
 * Whether a tool that gets this pattern would read `.dure/`. True for a path outside the root, which may contain
 * `.dure/`. A pattern without a slash matches only files in the root itself.
 */
function reachesDure(pattern: string): boolean {
  const [first = '', ...rest] = pattern
    .split('/')
    .filter((part, n) => part !== '.' && (part !== '' || n === 0));
  if (first === '' || first === '..' || first === '**' || first === '.dure') return true;
  return rest.length > 0 && (/[[(]/.test(first) || matchesDureFolder(first));
}

/** Whether a segment of a pattern, in which `*` and `?` are wildcards, matches `.dure`. */
export const matchesDureFolder = (segment: string): boolean => globPattern(segment, '/').test('.dure');
