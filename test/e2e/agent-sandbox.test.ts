import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readOptions } from '../../src/core/run/record/read-run-record.ts';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { asks, builds, cassette, refines, rules } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const found = await findSandbox(process.env);
const STANDARD = { config: { global: { sandbox: { mode: 'standard' } } } };

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(found.kind === 'none')(
  `agents in a sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    test('see their inputs and nothing else in the project', async () => {
      const { start, root } = await scratchProject({
        ...STANDARD,
        files: { 'a.txt': 'a\n', '.env': 'KEY=1\n' },
      });
      const top = dirname(root);
      await writeFile(join(top, 'beside.txt'), 'secret\n');
      vi.stubEnv('HOME', join(top, 'home'));
      await mkdir(join(top, 'home', '.ssh'), { recursive: true });
      await writeFile(join(top, 'home', '.ssh', 'id_test'), 'secret\n');
      const look = (name: string) => ({
        sh: `{ ls -A ${root} ${root}/.dure ${top} "$HOME" . */ ; cat ${root}/a.txt ${top}/beside.txt ~/.ssh/id_test; git -C builder/output log --oneline; echo "sandbox: $IS_SANDBOX"; } > ${name}/saw.txt 2>&1; true`,
      });
      const run = await start(
        cassette({
          refiner: [[look('briefing'), ...refines]],
          builder: [[look('builder'), ...builds('hello\n')]],
          gatekeeper: [[look('gatekeeper'), ...rules('PASS')]],
        }),
      );
      expect(await run.drive()).toMatchObject({ phase: 'ready_for_merge' });
      const saw = (name: string) => readFile(join(run.files.dir, name, 'saw.txt'), 'utf8');
      for (const name of ['briefing', 'builder', 'gatekeeper']) {
        const all = await saw(name);
        expect(all).toContain('a commit\n');
        expect(all).toContain('sandbox: 1');
        expect(all).not.toMatch(/secret|beside\.txt$|\.env|server|config$|state\.json|events\.log/m);
        expect(all).toContain(`cat: ${root}/a.txt: No such file`);
      }
      expect(await saw('builder')).not.toContain('gatekeeper');
      expect(await readdir(join(top, 'home'))).not.toContain('.cache');
    });

    test('keep the home folder of their role until the run is over', async () => {
      const { start, root } = await scratchProject(STANDARD);
      vi.stubEnv('HOME', join(dirname(root), 'home'));
      await mkdir(join(dirname(root), 'home'));
      const run = await start(
        cassette({
          builder: [
            [{ sh: 'echo one > ~/kept; echo two > /tmp/lost' }, asks('crp-001', 'builder'), { exit: 0 }],
            [{ sh: 'cat ~/kept > builder/kept; cat /tmp/lost >> builder/kept; true' }, ...builds('hello\n')],
          ],
        }),
      );
      await run.drive();
      await run.answer('A');
      await run.drive();
      expect(await readFile(join(run.files.builder, 'kept'), 'utf8')).toBe('one\n');
      expect(existsSync(join(dirname(root), 'home', 'kept'))).toBe(false);
      const environment = (await readOptions(run.files))!.environment!;
      expect(existsSync(join(environment, 'agents', 'builder', 'home', 'kept'))).toBe(true);
      await run.approve();
      expect(existsSync(environment)).toBe(false);
    });

    test('leave no process behind, not even one that detached and cleared its environment', async () => {
      const mark = randomUUID();
      const { start } = await scratchProject(STANDARD);
      const run = await start(
        cassette({
          builder: [
            [
              {
                sh: `env -i PATH="$PATH" setsid -f sh -c 'while sleep 0.05; do date +%N > builder/alive; : ${mark}; done' > /dev/null 2>&1 < /dev/null; until test -s builder/alive; do sleep 0.05; done`,
              },
              ...builds('hello\n'),
            ],
          ],
        }),
      );
      expect(await run.drive()).toMatchObject({ phase: 'ready_for_merge' });
      expect(existsSync(join(run.files.builder, 'alive'))).toBe(true);
      // The sandbox was killed, but the kernel may not have ended its processes yet.
      await expect.poll(() => commandsWith(mark)).toEqual([]);
    });
  },
);

test('a run that requires a sandbox does not start where none is available', async () => {
  const { start } = await scratchProject(STANDARD);
  vi.stubEnv('DURE_SANDBOX', 'none');
  await expect(start(cassette())).rejects.toMatchObject({ code: 'E_SANDBOX' });
});

/** Command lines of running processes that contain a text. */
async function commandsWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter(line => line.includes(text));
}
