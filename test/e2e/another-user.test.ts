/** What another user of the machine can read of a run, and whether they can take anything over. Needs root. */
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasTmux, socketOf } from '../../src/agents/launchers/tmux-client.ts';
import { readOptions } from '../../src/core/run/run-record.ts';
import { closedFolder } from '../../src/server/server-files.ts';
import { asks, cassette } from './agent-moves.ts';
import { stage } from './scratch-project.ts';

const canTry = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

/** Runs a program as the user `nobody`. */
const asNobody = (...argv: string[]) =>
  spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...argv], {
    encoding: 'utf8',
    cwd: '/',
  });

test.skipIf(!canTry)(
  `another user reads nothing of a run and takes nothing over${canTry ? '' : ' (skipped: needs root and setpriv)'}`,
  async () => {
    const before = process.umask(0o022);
    onTestFinished(() => void process.umask(before));
    const { root, project, start } = await stage();
    chmodSync(dirname(root), 0o755);
    const launcher = hasTmux() ? 'tmux' : 'process';
    const play = await start(cassette({ builder: [[asks('crp-001', 'builder')]] }), { launcher });
    expect((await play.drive()).phase).toBe('waiting_human');
    await closedFolder(project.server);

    expect(asNobody('cat', join(root, 'README.md')).stdout).toContain('A project');
    const { environment } = (await readOptions(play.files))!;
    const found = asNobody('find', project.dure, dirname(dirname(environment!)), '-type', 'f', '-readable');
    const readable = found.stdout.split('\n').filter(path => path !== '');
    expect(readable.filter(path => !path.startsWith(project.config) && path !== project.ignore)).toEqual([]);
    const writable = asNobody('find', project.dure, dirname(dirname(environment!)), '-writable');
    expect(writable.stdout.split('\n').filter(path => path !== '')).toEqual([]);
    if (hasTmux()) {
      const taken = asNobody('tmux', '-S', socketOf(root), 'list-sessions');
      expect(taken.status).not.toBe(0);
      expect(taken.stderr).toMatch(/[Pp]ermission denied/);
    }
  },
  120_000,
);
