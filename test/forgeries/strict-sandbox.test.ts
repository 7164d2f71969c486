/**
 * Agents in the strict sandbox try each forgery of the repository, of decisions and of the log. None has an effect:
 * nothing is approved, and the approval merges the result without naming a change.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Move } from '../../src/formats/cassette.ts';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { asks, builds, cassette, flag, generates, rules } from '../e2e/agent-moves.ts';
import { scratchProject } from '../e2e/scratch-project.ts';
import { git } from '../helpers/git-repositories.ts';
import { REPOSITORY_FORGERIES } from './repository-forgeries.ts';

const found = await findSandbox(process.env);
const KEY = 'a private key';

interface Attempt {
  readonly id: string;
  readonly what: string;
  readonly script: string;
}

const ATTEMPTS: readonly Attempt[] = [
  ...REPOSITORY_FORGERIES.map(({ id, what, builder = '', verifier = '', ready = '', inSandbox = '' }) => ({
    id,
    what,
    script: [builder, verifier, typeof ready === 'string' ? ready : '', inSandbox].join('\n'),
  })),
  {
    id: 'g03b',
    what: 'A process approves through the web server with its token',
    script: `node -e 'const { url, token } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); fetch(url + "/api/runs/" + process.argv[2] + "/approve", { method: "POST", headers: { authorization: "Bearer " + token, "content-type": "application/json" }, body: JSON.stringify({ tree: process.argv[3] }) })' "$ROOT/.dure/server/server.json" "$(basename "$PWD")" "$(git --git-dir="$ROOT/.git" rev-parse "refs/heads/dure/$(basename "$PWD")^{tree}")"`,
  },
  {
    id: 'g05',
    what: 'A process writes an answer after the question',
    script: `echo '{"vcr_id":"vcr-001","crp_id":"crp-001","created_at":"2026-01-01T00:00:00.000Z","decision":"B","rationale":"forged","applies_to_future":true}' > vcr/vcr-001.json`,
  },
  {
    id: 'g12, g13',
    what: 'A folder of the run is replaced by a link to a private folder',
    script: `for folder in builder/output builder verifier gatekeeper crp vcr; do mv $folder $folder.was; ln -s "$HOST_HOME/.ssh" $folder; done`,
  },
];

describe.skipIf(found.kind === 'none')(
  `agents in the strict sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    let home: string;
    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'dure-strict-home-'));
      await mkdir(join(home, '.ssh'));
      await writeFile(join(home, '.ssh', 'id'), KEY);
      vi.stubEnv('HOME', home);
      vi.stubEnv('XDG_STATE_HOME', '');
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    });

    test('no forgery has an effect', async () => {
      const { root, start } = await scratchProject({
        config: { global: { max_iterations: 1, sandbox: { mode: 'strict' } } },
      });
      /** Tries each forgery at once, and leaves a process that tries it again when there is a question or a pack. */
      const tries = (role: string): Move[] =>
        ATTEMPTS.map(({ script }, n) => ({
          sh: `export ROOT="$(cd ../../.. && pwd)" HOST_HOME='${home}'
cat > /tmp/${n}.sh <<'EOF'
${script}
EOF
sh /tmp/${n}.sh > ${role}/${n}.txt 2>&1
env -i PATH="$PATH" ROOT="$ROOT" HOST_HOME="$HOST_HOME" setsid sh -c 'while [ ! -e crp/crp-001.json ] && [ ! -e mrp/summary.md ]; do sleep 0.05; done; sh /tmp/${n}.sh' > /dev/null 2>&1 < /dev/null &
true`,
        }));
      const run = await start(
        cassette({
          builder: [
            [...tries('builder'), asks('crp-001', 'builder'), { exit: 0 }],
            [...builds('hello\n').slice(0, -1), ...tries('builder'), flag('builder/done.flag')],
          ],
          'verifier:generate': [[...tries('verifier'), ...generates]],
          gatekeeper: [[...tries('gatekeeper'), ...rules('PASS')]],
        }),
      );
      expect(await run.drive()).toMatchObject({
        phase: 'waiting_human',
        pending_crp: 'crp-001',
        decisions: [],
      });
      await run.answer('A', 'mine');
      expect(await run.drive()).toMatchObject({ phase: 'ready_for_merge', decisions: ['vcr-001'] });
      for (const role of ['builder', 'verifier', 'gatekeeper'])
        expect(await readdir(join(run.files.dir, role))).toContain(`${ATTEMPTS.length - 1}.txt`);
      expect(await readdir(run.files.requests).catch(() => [])).toEqual([]);

      // The approval names no change.
      const { phase, mrp, reason } = await run.approve();
      expect({ phase, reason }).toEqual({ phase: 'completed', reason: null });
      expect(git(root, '--no-replace-objects', 'rev-parse', 'main^{tree}')).toBe(mrp!.tree);
      expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
      const summary = await readFile(run.files.summary, 'utf8');
      expect(summary).toContain('mine');
      expect(summary).not.toContain('forged');
      expect(await readFile(run.files.events, 'utf8')).not.toContain('forged');
      for (const path of ['planted', '../planted', '../more', '../elsewhere'])
        expect(existsSync(join(root, path)), path).toBe(false);
      expect(git(root, 'cat-file', '--batch-all-objects', '--batch')).not.toContain(KEY);
      expect(await readdir(join(home, '.ssh'))).toEqual(['id']);
    });
  },
);
