import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { joinElection, leaderOf } from '../../src/daemon/leader-election.ts';
import type { ProjectFiles } from '../../src/formats/layout.ts';
import { writeRedirectPage } from '../../src/server/client/write-redirect-page.ts';
import { serverFiles, serverOf } from '../../src/server/server-files.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';
import { makePlace, until } from '../server/test-server.ts';

let program: string;
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'dure-lead-'));
  program = join(dir, 'lead.cjs');
  const entry = join(dir, 'entry.ts');
  const at = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).pathname);
  await writeFile(
    entry,
    `import { joinElection } from ${at('daemon/leader-election.ts')};
     import { projectFiles } from ${at('formats/layout.ts')};
     const say = word => process.stdout.write(word + ' ' + process.pid + '\\n');
     const candidacy = joinElection(projectFiles(process.argv[2]), {
       begin: async () => { say('leads'); return { close: async () => say('closed') }; },
       standBy: () => say('stands by'),
     });
     process.on('SIGTERM', async () => { await candidacy.leave(); process.exit(0); });
     setInterval(() => {}, 1000);`,
  );
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    cwd: new URL('../..', import.meta.url).pathname,
  });
  await bundle.write({ file: program, format: 'cjs' });
  await bundle.close();
  return () => rm(dir, { recursive: true, force: true, maxRetries: 20 });
});

async function projectOnly(): Promise<ProjectFiles> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dure-lead-')));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 20 }));
  return (await createProjectFolders(root)).project;
}

interface Candidate {
  readonly child: ChildProcess;
  readonly said: string[];
  readonly ended: Promise<unknown>;
}
function candidate(project: ProjectFiles): Candidate {
  const child = spawn(process.execPath, [program, project.root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  createInterface({ input: child.stdout! }).on('line', line => said.push(line.replace(/ \d+$/, '')));
  // By then, all of its output has been read too.
  const ended = new Promise(resolve => child.once('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said, ended };
}

describe('leading a project', () => {
  it('one of several processes leads; each time the leader is killed, exactly one other takes over, until none is left', async () => {
    const project = await projectOnly();
    let candidates = Array.from({ length: 5 }, () => candidate(project));
    while (candidates.length > 0) {
      const leading = () => candidates.filter(({ said }) => said.includes('leads'));
      await until(
        () => leading().length > 0 && candidates.every(({ said }) => said.length > 0),
        'a leader',
        60_000,
      );
      expect(leading()).toHaveLength(1);
      const [leader] = leading();
      expect((await leaderOf(project))!.pid).toBe(leader!.child.pid);
      leader!.child.kill('SIGKILL');
      await leader!.ended;
      candidates = candidates.filter(one => one !== leader);
    }
    expect(await leaderOf(project)).toBeNull();
    expect((await serverFiles(project).terms()).length).toBeLessThanOrEqual(2);
  });

  it('before it exits, a leader stops everything it started', async () => {
    const project = await projectOnly();
    const first = candidate(project);
    await until(() => first.said.includes('leads'), 'the first', 60_000);
    const second = candidate(project);
    await until(() => second.said.includes('stands by'), 'the second', 60_000);
    expect(second.said).not.toContain('leads');
    first.child.kill('SIGTERM');
    await until(() => second.said.includes('leads'), 'the change', 60_000);
    await first.ended;
    expect(first.said).toEqual(['leads', 'closed']);
    expect(first.child.exitCode).toBe(0);
  });

  it('a candidate that leaves the election before it leads starts nothing', async () => {
    const project = await projectOnly();
    const first = candidate(project);
    await until(() => first.said.includes('leads'), 'the first', 60_000);
    let begun = 0;
    const office = {
      begin: async () => {
        begun += 1;
        return { close: async () => {} };
      },
    };
    const second = joinElection(project, office);
    await second.leave();
    expect(await second.leads).toBe(false);
    expect(begun).toBe(0);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = joinElection(project, office);
    expect(await third.leads).toBe(true);
    await third.leave();
    const fourth = joinElection(project, office);
    expect(await fourth.leads).toBe(true);
    await fourth.leave();
    expect(begun).toBe(2);
  });

  it('a candidate that fails to start does not block the others', async () => {
    const project = await projectOnly();
    const failing = joinElection(project, { begin: () => Promise.reject(new Error('no port')) });
    await expect(failing.leads).rejects.toThrow('no port');
    const next = joinElection(project, { begin: async () => ({ close: async () => {} }) });
    expect(await next.leads).toBe(true);
    await next.leave();
    await failing.leave();
  });

  it("a leader's term counts as ended if its file is damaged", async () => {
    const project = await projectOnly();
    const one = joinElection(project, { begin: async () => ({ close: async () => {} }) });
    await one.leads;
    const files = serverFiles(project);
    await writeFile(files.term((await files.terms()).at(-1)!), '{');
    const two = joinElection(project, { begin: async () => ({ close: async () => {} }) });
    expect(await two.leads).toBe(true);
    await two.leave();
    await one.leave();
  });
});

describe('finding the server', () => {
  it("the server's address is available while it runs", async () => {
    const place = await makePlace();
    expect(await serverOf(place.project)).toBeNull();
    const server = await place.serve();
    expect(await serverOf(place.project)).toMatchObject({
      url: server.url,
      token: server.token,
      version: '9.9.9',
    });
    await server.close();
    expect(await serverOf(place.project)).toBeNull();
  });

  it('S5 the browser is opened through a file that only its owner can read, so that the code does not appear in process lists', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const door = await writeRedirectPage(place.project, {
      url: server.url,
      code: server.code,
      page: '/run/new',
    });
    expect(door.href).not.toContain(server.code);
    expect((await stat(door.file)).mode & 0o777).toBe(0o600);
    expect(await readFile(door.file, 'utf8')).toContain(
      `location.replace("${server.url}/run/new#code=${server.code}")`,
    );
  });
});
