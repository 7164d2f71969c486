import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoBriefing, demoProject } from '../src/agents/rehearse/cassettes/demo-project.ts';
import { bin, testProject } from './helpers/project.ts';
import { it } from 'vitest';
it('captures', { timeout: 900_000 }, async () => {
const out = '/tmp/screens';
await mkdir(out, { recursive: true });
for (const lang of (process.env.LANGS ?? 'ko,en').split(',')) {
  const project = await testProject({ ...demoProject, '.prettierrc': '{}\n', 'jest.config.js': 'module.exports = make();\n', '.orchestral/runs/run-20240101-000000/briefing/raw.md': 'Once\n' });
  const socket = join(project.beside, 'tmux');
  const program = join(project.beside, 'dure');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  await chmod(program, 0o755);
  project.env['PATH'] = `${project.beside}:${process.env['PATH']}`;
  await writeFile(join(project.beside, 'briefing.md'), demoBriefing);
  const tmux = async (...args: string[]) => (await promisify(execFile)('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { cwd: project.root, env: project.env as any })).stdout;
  let n = 0;
  const open = async (cols: number, command: string) => {
    const name = `s${n++}`;
    await tmux('new-session', '-d', '-s', name, '-x', String(cols), '-y', '50', '-e', 'TERM=xterm-256color', '-e', 'CI=', '-e', 'PAGER=cat', '-e', `DURE_LANG=${lang}`, '-c', project.root, `${command}; echo "(the end)"; exec sleep 600`);
    const text = async () => (await tmux('capture-pane', '-p', '-S', '-', '-t', name)).split('\n').map(l => l.trimEnd()).join('\n').trimEnd();
    const until = async (what: RegExp) => { for (let i = 0; i < 600; i++) { if (what.test(await text())) return; await new Promise(r => setTimeout(r, 200)); } throw new Error(`${name}: no ${what}\n${await text()}`); };
    return { text, until, type: async (t: string) => { await tmux('send-keys', '-t', name, '-l', t); await tmux('send-keys', '-t', name, 'Enter'); }, close: () => tmux('kill-session', '-t', name).catch(() => '') };
  };
  const keep = (cols: number, name: string, text: string) => writeFile(join(out, `${lang}-${cols}-${name}.txt`), `${text}\n`);
  try {
    await tmux('new-session', '-d', '-s', 'keeper', 'exec sleep 900');
    for (const cols of [60, 80, 140]) {
      const once = async (name: string, command: string) => { const t = await open(cols, command); await t.until(/\(the end\)/); await keep(cols, name, await t.text()); await t.close(); };
      // init, with its questions
      await promisify(execFile)('rm', ['-rf', join(project.root, '.dure/config')]);
      const init = await open(cols, 'dure init');
      await init.until(/allow"/);
      await init.type('');
      await init.until(/\[y\/N\]/);
      await init.type('');
      await init.until(/\[y\/N\][^]*\[y\/N\]/);
      await init.type('');
      await init.until(/\(the end\)/);
      await keep(cols, 'init', await init.text());
      await init.close();
      await project.dure(['init', '--yes', '--no-exclude', '--no-bring-over', '--backend', 'rehearsal']);
      const start = await open(cols, 'dure start -f ../briefing.md --cassette demo --launcher process --no-browser');
      await start.until(/\(1-2/);
      await keep(cols, 'start-asks', await start.text());
      await start.type('');
      await start.until(/Enter[^]*Enter/);
      await start.type('');
      await start.until(/\[y\/N\]/);
      await start.type('');
      await start.until(/\(the end\)/);
      await keep(cols, 'start', await start.text());
      await start.close();
      // a question that is left open
      await project.dure(['start', '-f', '../briefing.md', '--cassette', 'demo', '--launcher', 'process', '--no-browser', '--detach']);
      await project.dure(['wait', '--for', 'human', '--timeout', '60']);
      await once('status-waiting', 'dure status');
      const answer = await open(cols, 'dure answer');
      await answer.until(/\(1-2/); await answer.type('1'); await answer.until(/Enter[^]*Enter/); await answer.type('because'); await answer.until(/\[y\/N\]/); await answer.type('n'); await answer.until(/\(the end\)/);
      await keep(cols, 'answer', await answer.text());
      await answer.close();
      await project.dure(['wait', '--for', 'human', '--timeout', '120']);
      await once('status', 'dure status');
      await once('review', 'dure review');
      await once('history', 'dure history');
      await once('logs', 'dure logs');
      await once('help', 'dure --help');
      await once('start-help', 'dure start --help');
      await once('plugins-help', 'dure plugins --help');
      for (let i = 0; i < 60 && (await project.dure(['clean', '--dry-run'])).stdout.match(/at work|진행 중/); i++) await new Promise(r => setTimeout(r, 500));
      await once('clean-dry', 'dure clean --dry-run --state ready_for_merge,stopped; dure clean --dry-run --force --state ready_for_merge --older-than 1m; dure clean');
      await project.dure(['stop']);
      const clean = await open(cols, 'dure clean');
      await clean.until(/\[y\/N\]/); await clean.type('y'); await clean.until(/\(the end\)/);
      await keep(cols, 'clean', await clean.text());
      await clean.close();
      await once('error', 'dure start x --port abc; dure config set a; dure stauts; dure start --file nowhere.md; dure review --diff --evidence; dure answer run-20200101-000000');
    }
  } finally { await tmux('kill-server').catch(() => ''); await project.remove(); }
}
});
