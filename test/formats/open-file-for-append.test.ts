import { execFileSync } from 'node:child_process';
import {
  type FileHandle,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rawLog } from '../../src/agents/streams/raw-log-writer.ts';
import { problemLog } from '../../src/core/run/plugin-problem-log.ts';
import { requestDrive, takeDriveRequests } from '../../src/daemon/drive-requests.ts';
import { projectFiles, runFiles } from '../../src/formats/layout.ts';
import { openForAppend, reopenForAppend } from '../../src/formats/open-file-for-append.ts';

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'dure-append-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));
  return dir;
}

const PLANTED: Record<string, (file: string, mine: string) => unknown> = {
  'a link': (file, mine) => symlink(mine, file),
  'a link to nothing': file => symlink(`${file}.elsewhere`, file),
  'another hard link to a file': (file, mine) => link(mine, file),
  'a pipe that nobody reads': file => execFileSync('mkfifo', [file]),
  'a folder': file => mkdir(file),
};

it.each(Object.keys(PLANTED))(
  'nothing is written to %s in place of a log, and opening it does not block',
  async what => {
    const dir = await folder();
    const mine = join(dir, '.bashrc');
    await writeFile(mine, 'mine\n');
    const files = runFiles(join(dir, 'run'));
    await mkdir(files.logs, { recursive: true });
    const before = await readdir(dir);
    for (const file of [files.events, files.stream('builder', 1), files.pluginProblems])
      await PLANTED[what]!(file, mine);
    for (const open of [() => openForAppend(files.events), () => reopenForAppend(files.events)])
      await expect(open()).rejects.toMatchObject({
        code: 'E_DISK',
        message: expect.stringContaining(files.events),
      });
    await expect(rawLog(files.stream('builder', 1), 1000)).rejects.toMatchObject({ code: 'E_DISK' });
    const complaints = problemLog(files, []);
    complaints.add({ plugin: 'a', problem: 'b' });
    await complaints.save();
    expect(await readFile(mine, 'utf8')).toBe('mine\n');
    expect(await readdir(dir)).toEqual(before);
  },
);

it('a log is created once and appended to; a removed log is not created again', async () => {
  const file = join(await folder(), 'a.log');
  const add = async (opened: Promise<FileHandle>, line: string) => {
    const handle = await opened;
    await handle.appendFile(line);
    await handle.close();
  };
  await add(openForAppend(file), 'one\n');
  await add(openForAppend(file), 'two\n');
  await add(reopenForAppend(file), 'three\n');
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\nthree\n');
  await rm(file);
  await expect(reopenForAppend(file)).rejects.toMatchObject({ code: 'E_DISK' });
});

it('a request for a driver is noticed even if a link is in its place, and the link is never followed', async () => {
  const dir = await folder();
  const mine = join(dir, '.bashrc');
  await writeFile(mine, 'mine\n');
  const project = projectFiles(dir);
  await mkdir(project.calls, { recursive: true });
  await symlink(mine, join(project.calls, 'run-20260131-142233'));
  await requestDrive(project, 'run-20260131-142233');
  expect(await takeDriveRequests(project)).toEqual(['run-20260131-142233']);
  expect(await takeDriveRequests(project)).toEqual([]);
  expect(await readFile(mine, 'utf8')).toBe('mine\n');
});
