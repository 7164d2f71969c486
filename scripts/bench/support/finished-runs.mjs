/** Makes a project with finished runs: one real rehearsed run, and copies of the files that are read to list runs. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const program = resolve(import.meta.dirname, '../../../bin/run.js');

export function rehearsedProject() {
  const top = mkdtempSync(join(tmpdir(), 'dure-bench-'));
  const root = join(top, 'project');
  const env = { PATH: process.env.PATH, HOME: join(top, 'home'), LANG: 'C.UTF-8' };
  mkdirSync(env.HOME);
  execFileSync(process.execPath, [program, 'demo', '--yes', '--keep', root], { cwd: top, env });
  const [id] = readdirSync(join(root, '.dure/runs')).filter(name => name.startsWith('run-'));
  return {
    root,
    env,
    id,
    /** Makes a copy of the project with `count` runs and returns its folder. */
    copy(count) {
      const other = join(top, `with-${count}`);
      cpSync(join(root, '.dure/config'), join(other, '.dure/config'), { recursive: true });
      const from = join(root, '.dure/runs', id);
      const state = readFileSync(join(from, 'state.json'), 'utf8');
      const briefing = readFileSync(join(from, 'briefing/raw.md'));
      for (let n = 0; n < count; n += 1) {
        const second = new Date(Date.UTC(2025, 0, 1) + n * 61_000).toISOString();
        const copied = `run-${second.replace(/[-:]/g, '').replace('T', '-').slice(0, 15)}`;
        const dir = join(other, '.dure/runs', copied);
        mkdirSync(join(dir, 'briefing'), { recursive: true });
        writeFileSync(join(dir, 'state.json'), state.replaceAll(id, copied));
        writeFileSync(join(dir, 'briefing/raw.md'), briefing);
      }
      return other;
    },
    remove: () => rm(top, { recursive: true, force: true, maxRetries: 20 }),
  };
}
