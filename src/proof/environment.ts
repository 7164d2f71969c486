/**
 * The whole environment of a test command. Nothing else of the person's is handed on: keys and tokens in the shell that
 * started Dure are no business of code that an agent wrote.
 */
import { delimiter, dirname, join, sep } from 'node:path';
import { DURE_DIR } from '../formats/layout.ts';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** `cwd` is the folder the command runs in, `temporary` a fresh folder of this run alone. Pure. */
export function testEnvironment(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  temporary: string,
): Record<string, string> {
  const bins = [join(cwd, 'builder', 'output'), ...foldersAround(cwd)].map(dir =>
    join(dir, 'node_modules', '.bin'),
  );
  return {
    PATH: [...bins, env['PATH'] || DEFAULT_PATH].join(delimiter),
    ...(env['HOME'] && { HOME: env['HOME'] }),
    LANG: env['LANG'] || 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    NODE_ENV: 'test',
    TMPDIR: temporary,
  };
}

/**
 * The project and the folders around it, nearest first, as npm orders them. Those within `.dure` are left out: agents
 * write there.
 */
const foldersAround = (cwd: string): string[] => {
  const dure = cwd.lastIndexOf(`${sep}${DURE_DIR}${sep}`);
  return withAncestors(dure < 0 ? dirname(cwd) : cwd.slice(0, dure) || sep);
};

const withAncestors = (dir: string): string[] =>
  dirname(dir) === dir ? [dir] : [dir, ...withAncestors(dirname(dir))];
