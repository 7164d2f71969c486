/** Completes a command line. It has no side effects except those of the sources passed in. */

interface KnownFlag {
  readonly name: string;
  readonly char?: string;
  readonly type: string;
  readonly options?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly allowNo?: boolean;
  readonly multiple?: boolean;
}
interface KnownArg {
  readonly name: string;
  readonly options?: readonly string[];
  readonly description?: string;
}
export interface KnownCommand {
  readonly id: string;
  readonly summary?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly flags: Readonly<Record<string, KnownFlag>>;
  readonly args: Readonly<Record<string, KnownArg>>;
}

/** A candidate and its description. */
export type Candidate = readonly [value: string, meaning: string];

/** Keyed by the name of an argument or flag, prefixed by the command where needed: `plugins:uninstall.plugin`. */
export type KnownWords = Readonly<Record<string, () => Promise<readonly Candidate[]>>>;

export interface Completed {
  readonly candidates: readonly Candidate[];
  /** Whether the shell should complete file names too. */
  readonly files: boolean;
}

/** `words`: the words after `dure`; the last one is being typed and may be empty. */
export async function complete(
  words: readonly string[],
  commands: readonly KnownCommand[],
  known: KnownWords,
): Promise<Completed> {
  const typed = words.at(-1) ?? '';
  const { command, topic, rest } = findCommand(words.slice(0, -1), commands);
  const flags = Object.values(command?.flags ?? {}).filter(flag => !flag.hidden);
  const owner = flags.find(flag => takes(flag, rest.at(-1)));
  const values = async ({ name, options }: KnownArg): Promise<readonly Candidate[] | null> =>
    options?.map(option => [option, ''] as const) ??
    (await (known[`${command?.id}.${name}`] ?? known[name])?.()) ??
    null;
  if (owner) return matching(typed, [], await values(owner));
  if (typed.startsWith('-')) return matching(typed, unusedFlags(flags, rest), []);
  const subcommands = rest.length === 0 ? subcommandsOf(topic, commands) : [];
  const arg = command && Object.values(command.args)[positionals(rest, flags)];
  return matching(typed, subcommands, arg ? await values(arg) : []);
}

/** If no values are known, file names are completed. */
const matching = (
  typed: string,
  words: readonly Candidate[],
  values: readonly Candidate[] | null,
): Completed => ({
  candidates: [...words, ...(values ?? [])].filter(([value]) => value.startsWith(typed)),
  files: values === null,
});

function findCommand(words: readonly string[], commands: readonly KnownCommand[]) {
  let id = '';
  let used = 0;
  for (const word of words) {
    const next = id ? `${id}:${word}` : word;
    if (word.startsWith('-') || !commands.some(c => c.id === next || c.id.startsWith(`${next}:`))) break;
    id = next;
    used += 1;
  }
  return { command: commands.find(c => c.id === id), topic: id, rest: words.slice(used) };
}

/** Commands and topics that match the words typed so far. */
function subcommandsOf(topic: string, commands: readonly KnownCommand[]): Candidate[] {
  const found = new Map<string, string>();
  for (const command of commands) {
    if (command.hidden || (topic && !command.id.startsWith(`${topic}:`))) continue;
    const [word, ...more] = (topic ? command.id.slice(topic.length + 1) : command.id).split(':');
    if (!word || (more.length > 0 && found.has(word))) continue;
    found.set(word, more.length > 0 ? '' : summaryOf(command));
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

const summaryOf = ({ summary, description }: { summary?: string; description?: string }) =>
  (summary ?? description ?? '').split('\n')[0]!.trim();

const takes = (flag: KnownFlag, word: string | undefined): boolean =>
  flag.type === 'option' &&
  (word === `--${flag.name}` || (flag.char !== undefined && word === `-${flag.char}`));

const unusedFlags = (flags: readonly KnownFlag[], used: readonly string[]): Candidate[] => [
  ...flags
    .filter(flag => flag.multiple || !(used.includes(`--${flag.name}`) || used.includes(`--no-${flag.name}`)))
    .flatMap((flag): Candidate[] => [
      [`--${flag.name}`, summaryOf(flag)],
      ...(flag.allowNo ? [[`--no-${flag.name}`, summaryOf(flag)] as const] : []),
    ]),
  ['--help', 'Show help.'],
];

/** Counts the positional arguments before the word being typed; flags and their values do not count. */
const positionals = (rest: readonly string[], flags: readonly KnownFlag[]): number =>
  rest.filter((word, i) => !word.startsWith('-') && !flags.some(flag => takes(flag, rest[i - 1]))).length;
