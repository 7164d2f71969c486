/** A project that signs its commits, with an SSH key that is only in the agent of a shell, and a separate leader. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEvents, readState } from '../../src/core/run/run-store.ts';
import { cassette } from './agent-moves.ts';
import { cannotRun, served, visit, WAIT } from './serve-processes.ts';

/** Configures signing, and returns the address of an agent that has the key. */
async function signing(folder: string, git: (...args: string[]) => Promise<string>): Promise<string> {
  await mkdir(folder);
  const [key, agent] = [join(folder, 'key'), join(folder, 'agent')];
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'person', '-f', key]);
  const child = spawn('ssh-agent', ['-D', '-a', agent], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await expect.poll(() => existsSync(agent), WAIT).toBe(true);
  execFileSync('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: agent } });
  const publicKey = (await readFile(`${key}.pub`, 'utf8')).trim();
  await writeFile(join(folder, 'allowed'), `person@example.com ${publicKey}\n`);
  await rm(key);
  await git('config', 'commit.gpgSign', 'true');
  await git('config', 'gpg.format', 'ssh');
  await git('config', 'user.signingKey', `key::${publicKey}`);
  await git('config', 'gpg.ssh.allowedSignersFile', join(folder, 'allowed'));
  return agent;
}

test.skipIf(cannotRun)(
  'an approval on a page whose server cannot sign is refused; the page shows the command to type, and that command signs',
  async () => {
    const project = await served(cassette());
    project.env['SSH_AUTH_SOCK'] = undefined;
    const agent = await signing(join(project.parentFolder, 'keys'), project.git);
    const { entry, child } = await project.serve();
    const start = ['start', 'Write greeting.txt', '--launcher', 'process', '--detach', '--no-browser'];
    const { json } = await project.dureJson(start);
    const id = String(json['run_id']);
    const files = project.run(id);
    const phase = async () => (await readState(files))?.phase;
    await expect.poll(phase, WAIT).toBe('ready_for_merge');

    const { page } = await visit(entry!.replace('/#', `/run/${id}#`), 'Write');
    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page
      .getByText(/could not sign the commit.*`?dure approve`? in a shell/s)
      .first()
      .waitFor();
    expect(await readEvents(files)).toContainEqual(
      expect.objectContaining({
        type: 'approval.refused',
        reason: expect.stringMatching(/could not sign.*Run `dure approve` in a shell that can sign commits/s),
      }),
    );
    expect(await phase()).toBe('ready_for_merge');
    expect(existsSync(join(project.root, 'greeting.txt'))).toBe(false);

    const approved = await project.spawnDure(['approve', id], { env: { SSH_AUTH_SOCK: agent } });
    expect(approved, approved.stderr).toMatchObject({ code: 0 });
    expect(child.exitCode, 'the server still leads').toBeNull();
    expect((await project.git('log', '-1', '--format=%G? %GS %an')).trim()).toBe(
      'G person@example.com A Person',
    );
    expect(await project.git('status', '--porcelain', '--', '.', ':!.dure')).toBe('');
  },
);
