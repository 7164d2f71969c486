/** Lays out the session of a run with tmux commands. This module is pure. */
import { inEnvironment } from './pass-environment-to-pane.ts';
import { tmuxProgram } from './tmux-client.ts';

const WIDTH = 200;
const HEIGHT = 50;
const SHELL_ROWS = 9;
const SERVER_ROWS = 8;

/** Titles of the agents' panes by role, in the order of the pane numbers. */
const AGENTS = { refiner: 'Refiner', builder: 'Builder', verifier: 'Verifier', gatekeeper: 'Gatekeeper' };
const TITLES: Readonly<Record<string, string>> = { ...AGENTS, shell: 'Debug shell', server: 'ACE server' };

/** Panes are identified by the user options `@dure_role` and `@dure_launch`. */
export const MARKS = '#{pane_id} #{pane_dead} [#{@dure_role}] [#{@dure_launch}]';
const BORDER = ' #{@dure_title}#{?@dure_launch, · launch #{@dure_launch}#{?pane_dead, · ended,},} ';

export interface Drawn {
  readonly session: string;
  readonly worktree: string;
  readonly projectRoot: string;
  readonly server: readonly string[] | null;
  /** Files from writePaneEnvironment(), one for each program. */
  readonly environments: { readonly shell: string; readonly server: string };
}

/** Labels a pane with a role and a launch: the title for people, the options for Dure. */
export const markPane = (pane: string, role: string, launch: string): string[][] => [
  ['select-pane', '-t', pane, '-T', TITLES[role] ?? role],
  ['set-option', '-p', '-t', pane, '@dure_title', TITLES[role] ?? role],
  ['set-option', '-p', '-t', pane, '@dure_role', role],
  ['set-option', '-p', '-t', pane, '@dure_launch', launch],
];

/** Returns the commands for the whole session as one list, so that nobody ever sees a half-built session. */
export function draw({ session, worktree, projectRoot, server, environments }: Drawn): string[][] {
  const at = (index: number) => `=${session}:0.${index}`;
  // tmux loses the output of a program that exits immediately.
  const line = (text: string) => tmuxProgram('sh', '-c', 'printf "%s\\n" "$0"; exec sleep 2', text);
  const [first = '', ...others] = Object.values(AGENTS).map(title => `${title} is waiting.`);
  const column = Math.floor(WIDTH / (others.length + 1));
  const cd = 'cd -- "$0" 2>/dev/null || cd -- "$1"; [ -z "$SHELL" ] || exec "$SHELL"; exec sh';
  const shell = inEnvironment(environments.shell, 'sh', '-c', cd, worktree, projectRoot);
  return [
    ['start-server'],
    ['set-option', '-wg', 'remain-on-exit', 'on'],
    ['set-option', '-wgq', 'remain-on-exit-format', ''],
    ['set-option', '-wg', 'pane-border-status', 'top'],
    ['set-option', '-wg', 'pane-border-format', BORDER],
    ['set-option', '-g', 'history-limit', '20000'],
    ['set-option', '-g', 'mouse', 'on'],
    ['set-option', '-g', 'status-left-length', '60'],
    ['set-option', '-g', 'status-right', ''],
    ['new-session', '-d', '-s', session, '-n', 'main', '-x', `${WIDTH}`, '-y', `${HEIGHT}`, ...line(first)],
    split('-v', at(0), SHELL_ROWS + 1 + SERVER_ROWS, shell),
    split(
      '-v',
      at(1),
      SERVER_ROWS,
      server ? inEnvironment(environments.server, ...server) : line('No server is running here.'),
    ),
    // Each column is split off the previous one, with the width of all remaining columns.
    ...others.map((text, i) => split('-h', at(i), column * (others.length - i) - 1, line(text))),
    ...Object.keys(TITLES).flatMap((role, i) => markPane(at(i), role, '')),
    ['select-pane', '-t', at(Object.keys(TITLES).indexOf('shell'))],
  ];
}

const split = (direction: '-v' | '-h', pane: string, size: number, argv: string[]): string[] => {
  const options = ['-d', direction, '-l', String(size), '-t', pane];
  return ['split-window', ...options, ...argv];
};
