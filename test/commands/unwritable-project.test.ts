/** Places where nothing can be written: commands say so, without a stack trace, and doctor reports a problem. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HAS_SANDBOX } from '../helpers/optional-programs.ts';
import { bin, type JsonOutput, type TestProject, testProject } from '../helpers/test-project.ts';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
});
afterEach(() => project.remove());

/** Runs a command while the project is mounted read-only. */
function readOnly(...args: string[]): Promise<{ code: number; json: JsonOutput }> {
  const mounts = ['--dev-bind', '/', '/', '--ro-bind', project.root, project.root];
  const argv = [...mounts, process.execPath, bin, ...args, '--json'];
  const options = { cwd: project.root, env: project.env as NodeJS.ProcessEnv };
  return new Promise(resolve => {
    execFile('bwrap', argv, options, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), json: JSON.parse(stdout) }),
    );
  });
}

const READ_ONLY = {
  code: 1,
  json: {
    error: {
      code: 'E_DISK',
      message: expect.stringContaining('the disk is read-only'),
      suggestions: [expect.any(String)],
    },
  },
};

describe.skipIf(!HAS_SANDBOX)('on a read-only disk', () => {
  it('init says that the disk is read-only', async () => {
    expect(await readOnly('init', '--yes')).toMatchObject(READ_ONLY);
  });

  it('start and pages say that the disk is read-only, and doctor says that a run would fail', async () => {
    await project.dure(['init', '--yes', '--backend', 'rehearsal', '--allow-bypass']);
    expect(await readOnly('start', 'x', '--accept-commands')).toMatchObject(READ_ONLY);
    expect(await readOnly('pages')).toMatchObject(READ_ONLY);
    const { code, json } = await readOnly('doctor', '--quick');
    expect({ code, error: json.error?.code }).toEqual({ code: 1, error: 'E_DOCTOR' });
    expect(json['findings']).toContainEqual(
      expect.objectContaining({
        name: 'folders',
        status: 'problem',
        seen: expect.stringContaining('the disk is read-only'),
      }),
    );
  });
});

it.skipIf(!existsSync('/proc/self'))(
  'a sample project in /proc is refused with an error that names the folder',
  async () => {
    const { code, json } = await project.dureJson(['demo', '--yes', '--keep', '/proc/dure-demo']);
    expect({ code, error: json.error?.code }).toEqual({ code: 1, error: 'E_DISK' });
    expect(json.error?.message).toContain('/proc/dure-demo');
  },
);
