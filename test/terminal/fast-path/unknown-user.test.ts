/** A container may run as a user id without an account. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bin } from '../../helpers/test-project.ts';

/** The reason why this cannot be tested here, or false. */
function cannotTry(): string | false {
  try {
    execFileSync(
      'setpriv',
      [...AS_NOBODY_KNOWN, process.execPath, '--eval', `require('fs').readFileSync(${JSON.stringify(bin)})`],
      { stdio: 'ignore' },
    );
    return false;
  } catch {
    return 'only root with setpriv can become an unknown user, who must be able to read this checkout';
  }
}
const AS_NOBODY_KNOWN = ['--reuid=23456', '--regid=23456', '--clear-groups'];
const reason = cannotTry();
if (reason) console.warn(`An unknown user is not tried: ${reason}.`);

it.skipIf(reason)(
  'every command works for a user id without an account, without SHELL, and even without HOME',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'dure-unknown-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await chmod(home, 0o777);
    const dure = (args: readonly string[], env: readonly string[]) =>
      execFileSync(
        'setpriv',
        [...AS_NOBODY_KNOWN, 'env', '-i', 'PATH=/usr/bin:/bin', ...env, process.execPath, bin, ...args],
        { encoding: 'utf8', cwd: home },
      );
    for (const env of [[`HOME=${home}`], []]) {
      expect(dure(['version'], env)).toMatch(/^dure\/\d/);
      expect(dure(['help'], env)).toContain('COMMANDS');
    }
  },
);
