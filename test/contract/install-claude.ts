/** Installs the Claude Code that the contract was measured against, once, in a git-ignored folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';

export const CLAUDE_VERSION = '2.1.329';
const folder = join(packageRoot, '.cache', 'claude');
/** Folder of the `claude` program, for PATH. */
export const claudeBin = join(folder, 'node_modules', '.bin');

export default function setup(): void {
  if (isInstalled()) return;
  mkdirSync(folder, { recursive: true });
  const install = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--foreground-scripts',
  ];
  execFileSync('npm', [...install, `@anthropic-ai/claude-code@${CLAUDE_VERSION}`], { stdio: 'inherit' });
  if (!isInstalled()) throw new Error(`claude ${CLAUDE_VERSION} does not run from ${claudeBin}`);
}

function isInstalled(): boolean {
  const program = join(claudeBin, 'claude');
  if (!existsSync(program)) return false;
  const said = execFileSync(program, ['--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  return said.startsWith(CLAUDE_VERSION);
}
