/** Agents try every hostile act, with and without the sandbox. */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { HOSTILE_ACTS, type HostileAct, MARK, SECRET, type Without } from './hostile-acts.ts';
import {
  type HostileRole,
  machineUnderAttack,
  phaseOf,
  ROLES,
  type Tried,
  type TryActs,
} from './machine-under-attack.ts';

const found = await findSandbox(process.env);

const cleanUp: (() => unknown)[] = [];
let tryActs: TryActs;
beforeAll(async () => {
  tryActs = await machineUnderAttack(work => void cleanUp.unshift(work));
});
afterAll(async () => {
  for (const work of cleanUp) await work();
});

const rolesOf = ({ except }: HostileAct): HostileRole[] => ROLES.filter(role => role !== except);
const byRole = (acts: readonly HostileAct[]) =>
  Object.fromEntries(ROLES.map(role => [role, acts.filter(act => rolesOf(act).includes(role))]));

/** True if the act read a secret, or had its effect. */
async function succeeded({ machine, output }: Tried, act: HostileAct, role: HostileRole): Promise<boolean> {
  const said = await output(role, act.id);
  expect(said, `${act.id} of ${role} was not tried`).not.toBeNull();
  return act.done?.(machine) ?? said!.includes(SECRET);
}

describe.skipIf(found.kind === 'none')(
  `hostile acts in the sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    let tried: Tried;
    beforeAll(async () => {
      tried = await tryActs('strict', byRole(HOSTILE_ACTS));
    });

    test('the run ends as if nothing had been tried', async () => {
      expect(tried.phase).toBe('ready_for_merge');
      expect(await readFile(tried.run.files.summary, 'utf8')).not.toContain('without a sandbox');
    });

    test.each(HOSTILE_ACTS)('$id: an agent $what: held for each role', async act => {
      for (const role of rolesOf(act)) {
        expect(await succeeded(tried, act, role), role).toBe(false);
        expect(await tried.output(role, act.id), role).not.toContain(SECRET);
      }
    });

    test('no agent process is left', async () => {
      // A killed process remains visible until the kernel has ended it.
      const left = async () => {
        const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
        const lines = await Promise.all(
          pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
        );
        return lines.filter(line => line.includes(`${MARK}-daemon`));
      };
      await expect.poll(left).toEqual([]);
    });
  },
);

/** Acts that another test tries without a sandbox are not tried again. */
const withFate = (fate: Without['off']) =>
  HOSTILE_ACTS.filter(
    ({ off, shownBy, asRoot }) => off === fate && !shownBy && (!asRoot || process.getuid?.() === 0),
  );

describe('without a sandbox', () => {
  describe('hostile acts that are not detected', () => {
    let tried: Tried;
    beforeAll(async () => {
      tried = await tryActs('off', byRole(withFate('not detected')));
    });

    test('the run passes, and the first line of its pack says that there was no sandbox', async () => {
      expect(tried.phase).toBe('ready_for_merge');
      const [first] = (await readFile(tried.run.files.summary, 'utf8')).split('\n');
      expect(first).toMatch(/^# .*\(agents without a sandbox\)$/);
    });

    test.each(withFate('not detected'))('$id: an agent $what', async act => {
      const fates = await Promise.all(rolesOf(act).map(role => succeeded(tried, act, role)));
      expect(fates).toContain(true);
    });
  });

  test.each(withFate('detected'))('$id: an agent $what: nothing is merged', async act => {
    const { run, phase, machine } = await tryActs('off', { builder: [act] });
    const end = phase === 'ready_for_merge' ? await phaseOf(run.approve()) : phase;
    expect(end).toBe(act.end ?? 'waiting_human');
    expect(machine.git('ls-tree', '--name-only', 'main')).not.toContain('greeting.txt');
  });

  test.each(withFate('named'))('$id: an agent $what: the pack names it', async act => {
    const { run, phase } = await tryActs('off', { builder: [act] });
    expect(phase).toBe('ready_for_merge');
    expect(await readFile(run.files.summary, 'utf8')).toContain(act.named);
  });

  test.each(withFate('held'))('$id: an agent $what: without effect', async act => {
    const { run, machine, output } = await tryActs('off', { builder: [act] });
    expect(await phaseOf(run.approve())).toBe('completed');
    expect(machine.git('show', 'main:greeting.txt')).toBe('hello');
    expect(await output('builder', act.id)).not.toContain(SECRET);
  });
});
