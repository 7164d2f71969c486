/** The contents of the screen in a real terminal: tmux with its own socket. */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoBriefing, demoProject } from '../../src/agents/rehearsal/cassettes/demo-files.ts';
import { cells } from '../../src/terminal/text-layout.ts';
import { languageOf } from '../../src/words/cli/load-language.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { slowRun } from './slow-run.ts';

const SEEN = { interval: 200 };

const hasTmux = (() => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let project: TestProject;
let socket: string;

const tmux = async (...args: string[]): Promise<string> => {
  const run = promisify(execFile);
  const { stdout } = await run('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], {
    cwd: project.root,
    env: project.env as NodeJS.ProcessEnv,
  });
  return stdout;
};

interface Terminal {
  /** The screen and its scrollback; a wrapped line is one line here. */
  lines(): Promise<string[]>;
  type(text: string): Promise<void>;
}

/** A terminal in which a shell runs the arguments. */
async function terminal(
  name: string,
  width: number,
  command: string,
  env: Record<string, string> = {},
): Promise<Terminal> {
  const settings = Object.entries({ TERM: 'xterm-256color', CI: '', PAGER: 'cat', ...env }).flatMap(
    ([key, value]) => ['-e', `${key}=${value}`],
  );
  const size = ['-x', String(width), '-y', '50'];
  await tmux(
    'new-session',
    '-d',
    '-s',
    name,
    ...size,
    ...settings,
    `${command}; echo "(the end)"; exec sleep 600`,
  );
  return {
    lines: async () =>
      (await tmux('capture-pane', '-p', '-J', '-S', '-', '-t', name)).split('\n').map(line => line.trimEnd()),
    type: async text => {
      await tmux('send-keys', '-t', name, '-l', text);
      await tmux('send-keys', '-t', name, 'Enter');
    },
  };
}

async function screen(
  name: string,
  width: number,
  args: string,
  env: Record<string, string>,
): Promise<string[]> {
  const shown = await terminal(name, width, `dure ${args}`, env);
  await expect.poll(shown.lines, SEEN).toContain('(the end)');
  return shown.lines();
}

describe.runIf(hasTmux)('in a terminal', () => {
  beforeAll(async () => {
    project = await testProject(demoProject);
    socket = join(project.parentFolder, 'tmux');
    const program = join(project.parentFolder, 'dure');
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
    await chmod(program, 0o755);
    project.env['PATH'] = `${project.parentFolder}:${process.env['PATH']}`;
    await project.dure(['init', '--yes', '--backend', 'rehearsal']);
    // Enough for the exam of a run to complete on any machine.
    await project.dure(['config', 'set', 'proof.budget_s', '3600']);
    await writeFile(join(project.parentFolder, 'briefing.md'), demoBriefing);
    const ready = await project.dure(['start', 'Leave a note', '--launcher', 'process', '--no-browser']);
    expect(ready, ready.stderr).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await tmux('kill-server').catch(() => {});
    await project?.remove();
  });

  const SCREENS = {
    status: /\$\d/,
    history: /run-\d{8}-\d{6}/,
    logs: /run-\d{8}-\d{6}/,
    '--help': /init .*\n[\s\S]*start .*\n[\s\S]*answer .*\n[\s\S]*approve/,
    'review --evidence': /node\s+--test|npm test/,
    'start --help': /--include-changes/,
    'clean --dry-run': /run-\d{8}-\d{6}/,
    'answer run-20200101-000000': /E_RUN_NOT_FOUND/,
  };
  const shapes = [60, 80, 140].flatMap(width => ['en', 'ko'].map(language => [width, language] as const));

  it.each(shapes)('no line is wider than %i columns: %s', async (width, language) => {
    // The unified diff is left out, because its lines are as long as those in the files.
    for (const [i, [args, seen]] of Object.entries(SCREENS).entries()) {
      const lines = await screen(`s${i}-${width}-${language}`, width, args, { DURE_LANG: language });
      expect(lines.join('\n')).toMatch(seen);
      const wide = lines.filter(line => cells(line) > width);
      expect(wide, args).toEqual([]);
    }
  });

  it("long output goes through the user's git pager, but not through one that the repository configures", async () => {
    const config = join(project.parentFolder, 'gitconfig');
    await writeFile(config, '[core]\n\tpager = "sed s/^/own:/"\n');
    await project.git('config', 'core.pager', 'sed s/^/repository:/');
    const paged = async (name: string, env: Record<string, string>) => {
      const shown = await terminal(name, 100, 'stty rows 6; dure review --diff', env);
      await expect.poll(shown.lines, SEEN).toContain('(the end)');
      return (await shown.lines()).find(line => line.includes('diff --git'))?.split('diff')[0];
    };
    const own = { GIT_CONFIG_GLOBAL: config, PAGER: 'sed s/^/usual:/' };
    expect(await paged('own', own)).toBe('own:');
    expect(await paged('chosen', { ...own, GIT_PAGER: 'sed s/^/chosen:/' })).toBe('chosen:');
    expect(await paged('usual', { PAGER: 'sed s/^/usual:/' })).toBe('usual:');
    await project.git('config', '--unset', 'core.pager');
  });

  it('a run is started, asks a question, gets an answer and reaches its pack, all in Korean', async () => {
    const width = 80;
    const start = 'start -f ../briefing.md --cassette demo --launcher process --no-browser';
    const shown = await terminal('start', width, `dure ${start}`, {
      LANG: 'ko_KR.UTF-8',
      LC_ALL: '',
      LC_MESSAGES: '',
    });
    const text = async () => (await shown.lines()).join('\n');
    await expect.poll(text, SEEN).toContain('리파이너의 질문');
    await expect.poll(text, SEEN).toContain('선택 (1-2');
    await shown.type('');
    await expect.poll(text, SEEN).toContain('이유는?');
    await shown.type('그냥');
    await expect.poll(text, SEEN).toContain('앞으로의 실행에도 적용할까요?');
    await shown.type('');
    await expect.poll(text, SEEN).toContain('(the end)');
    const last = await text();
    expect(last).toContain('조건 5개 중 5개 확인됨');
    expect(last).toContain('살펴본 뒤 결정하세요');
    for (const line of await shown.lines()) expect(cells(line), line).toBeLessThanOrEqual(width);
    const { json } = await project.dureJson(['status'], { env: { LANG: 'ko_KR.UTF-8' } });
    const log = await readFile(join(project.files.run(String(json['run_id'])), 'events.log'), 'utf8');
    expect(`${log}${JSON.stringify(json)}`.replaceAll('그냥', '')).not.toMatch(/[가-힣]/);
  });

  it('dure logs follows a run until the run is over', async () => {
    const id = await slowRun(project);
    const shown = await terminal('logs', 120, `dure logs ${id}`);
    await expect.poll(async () => (await shown.lines()).join('\n'), SEEN).toContain('Builder started');
    expect(await shown.lines()).not.toContain('(the end)');
    await project.dure(['stop', id, '--reason', 'seen enough']);
    await expect.poll(shown.lines, SEEN).toContain('(the end)');
    expect((await shown.lines()).join('\n')).toContain('seen enough');
  });

  it('watch also shows phases that ended before it started', async () => {
    const id = await slowRun(project);
    const shown = await terminal('watch', 100, `dure watch ${id}`);
    await expect
      .poll(async () => (await shown.lines()).join('\n'), SEEN)
      .toMatch(/Refiner done[\s\S]*build /);
    await project.dure(['stop', id]);
    await expect.poll(shown.lines, SEEN).toContain('(the end)');
  });

  it('output is coloured unless NO_COLOR is set', async () => {
    const coloured = async (name: string, env: Record<string, string>) => {
      await screen(name, 80, 'status', env);
      return (await tmux('capture-pane', '-p', '-e', '-t', name)).includes('\u001b[3');
    };
    expect(await coloured('plain', { NO_COLOR: '1' })).toBe(false);
    expect(await coloured('colour', {})).toBe(true);
  });
});

describe('the language', () => {
  it.each([
    [{}, 'en'],
    [{ LANG: 'ko_KR.UTF-8' }, 'ko'],
    [{ LANG: 'ko_KR.UTF-8', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'ko' }, 'ko'],
    [{ LANG: 'ko_KR.UTF-8', LC_ALL: '' }, 'ko'],
    [{ LANG: 'kok_IN' }, 'en'],
    [{ LC_ALL: 'C', DURE_LANG: 'ko' }, 'ko'],
  ] as const)('for %j is %s', (env, language) => {
    expect(languageOf(env)).toBe(language);
  });
});
