/** Decisions count only with a proof, which can only be made with this user's key. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newRunKey } from '../../src/core/run/record/hmac-key.ts';
import { type DecidingRun, proofFault, signed } from '../../src/core/run/requests/decision-proof.ts';

import { packageRoot } from '../../src/process/package-paths-and-version.ts';

type Decided = Parameters<typeof proofFault>[2] & Record<string, unknown>;

const by = { who: 'Ann <ann@example.org>', through: 'terminal', nonce: '0'.repeat(32) } as const;
const answer: Decided = { vcr_id: 'vcr-001', crp_id: 'crp-001', decision: 'A', rationale: '' };

let folder: string;
let run: DecidingRun;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-key-'));
  vi.stubEnv('XDG_STATE_HOME', folder);
  const key = (await newRunKey(packageRoot)).id;
  run = { run_id: 'run-20260131-142233', key, asked: { 'crp-001': 'abc' } };
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('a proof is valid only for what was decided, whatever the order of the properties', () => {
  const { by: proven, ...content } = signed(run, 'answer', answer, by);
  expect(proofFault(run, 'answer', { by: proven, ...content })).toBeNull();
  expect(
    proofFault(run, 'answer', { ...Object.fromEntries(Object.entries(content).reverse()), by: proven }),
  ).toBeNull();
  const others: [string, DecidingRun, Parameters<typeof proofFault>[1], object][] = [
    ['another decision', run, 'answer', { ...content, decision: 'B' }],
    ['another question', run, 'answer', { ...content, crp_id: 'crp-002' }],
    ['a question that was asked anew', { ...run, asked: { 'crp-001': 'def' } }, 'answer', content],
    ['another run', { ...run, run_id: 'run-20260131-142234' }, 'answer', content],
    ['another kind', run, 'feedback', content],
  ];
  for (const [what, place, kind, value] of others)
    expect(proofFault(place, kind, { ...value, by: proven }), what).toContain('made without the key');
  expect(proofFault(run, 'answer', { ...content, by: { ...proven!, who: 'Bob' } })).not.toBeNull();
  expect(proofFault(run, 'answer', { ...content, by: { ...proven!, through: 'page' } })).not.toBeNull();
  expect(proofFault(run, 'answer', content)).toContain('no proof');
});

test("without the run's key, nothing is signed and no decision counts", () => {
  const decided = signed(run, 'answer', answer, by);
  const elsewhere = { ...run, key: 'f'.repeat(16) };
  expect(() => signed(elsewhere, 'answer', answer, by)).toThrow(expect.objectContaining({ code: 'E_KEY' }));
  expect(proofFault(elsewhere, 'answer', decided)).toContain('is not on this machine');
});
