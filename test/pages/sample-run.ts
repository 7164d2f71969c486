/**
 * The events of a sample run; the pages show the real fold of them. A question was answered, the first result failed,
 * and the second one is waiting for review.
 */
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { setupWith } from '../helpers/sample-setup.ts';
import { sampleOptions, startedEvent } from '../helpers/sample-values.ts';

const SETUP = setupWith({ budget_usd: 5 });
export const BASE = '1f'.repeat(20);
export const COMMIT = 'c0ffee00'.repeat(5);
export const TREE = '7'.repeat(40);

export const PATCH = `diff --git a/src/rate-limit.ts b/src/rate-limit.ts
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/src/rate-limit.ts
@@ -0,0 +1,14 @@
+/** A token bucket: \`rate\` tokens a second, at most \`burst\` at once. */
+export interface Bucket {
+  readonly tokens: number;
+  readonly at: number;
+}
+
+export function take(bucket: Bucket, now: number, rate: number, burst: number): Bucket | null {
+  const refilled = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate);
+  if (refilled < 1) return null;
+  return { tokens: refilled - 1, at: now };
+}
+
+export const full = (now: number, burst: number): Bucket => ({ tokens: burst, at: now });
+// a hidden \u202e mark
diff --git a/src/login.ts b/src/login.ts
index 2222222..3333333 100644
--- a/src/login.ts
+++ b/src/login.ts
@@ -1,8 +1,13 @@ import { verify } from './password.ts';
 import { verify } from './password.ts';
+import { full, take } from './rate-limit.ts';
 
-export async function login(name: string, password: string) {
+const buckets = new Map<string, ReturnType<typeof full>>();
+
+export async function login(name: string, password: string, now: number) {
+  const bucket = take(buckets.get(name) ?? full(now, 5), now, 0.1, 5);
+  if (!bucket) throw new TooManyAttempts(name);
+  buckets.set(name, bucket);
   const user = await find(name);
-  if (!user) throw new Error('unknown');
+  if (!user) throw new WrongNameOrPassword();
   await verify(user, password);
   return session(user);
 }
diff --git a/docs/logo.bin b/docs/logo.bin
new file mode 100644
index 0000000..4444444
Binary files /dev/null and b/docs/logo.bin differ
`;

export const QUESTION: Crp = {
  crp_id: 'crp-001',
  created_by: 'refiner',
  type: 'architecture',
  question: 'Should the limit hold for each account or for each address?',
  context:
    'Both are common. **Accounts** are exact, but an attacker can lock someone out; *addresses* are shared by offices.',
  options: [
    {
      id: 'account',
      label: 'For each account',
      description: 'Counts wrong passwords by name.',
      risk: 'A stranger can lock an account for a while.',
    },
    {
      id: 'address',
      label: 'For each address',
      description: 'Counts by the address of the client.',
      risk: 'Offices behind one address share the limit.',
    },
    { id: 'both', label: 'Both, whichever is reached first <b>now</b>' },
  ],
  recommendation: 'account',
  status: 'pending',
};

const started = (run_id: string, at: string): RunEvent =>
  startedEvent({
    at,
    run_id,
    base: BASE,
    options: sampleOptions({ base: BASE, base_name: 'main', launcher: 'tmux' }),
    setup: SETUP,
  });

/** The events of a run up to its review. `start` is its start time. */
export function story(run_id: string, start: number): RunEvent[] {
  let time = start;
  const at = (seconds: number) => {
    time += seconds * 1000;
    return new Date(time).toISOString();
  };
  const usage = (cost_usd: number, output_tokens: number) => ({
    input_tokens: 420,
    output_tokens,
    cache_read_input_tokens: 48_200,
    cache_creation_input_tokens: 9100,
    cost_usd,
  });
  const exited = (agent: string, step: string, launch: number, cost: number): RunEvent => ({
    at: at(1),
    type: 'agent.exited',
    agent,
    step,
    launch,
    outcome: 'ok',
    kind: null,
    message: '',
    retry_at: null,
    session: null,
    asks: false,
    usage: usage(cost, 2600),
  });
  const agent = (
    role: string,
    step: string,
    launch: number,
    iteration: number,
    took: number,
    cost: number,
  ): RunEvent[] => [
    { at: at(1), type: 'agent.started', agent: role, step, launch, iteration },
    {
      at: at(took),
      type: 'agent.completed',
      agent: role,
      step,
      launch,
      duration_ms: took * 1000,
      commit: COMMIT,
      tree: TREE,
    },
    exited(role, step, launch, cost),
  ];
  const tested = (launch: number, failed: number): RunEvent[] => [
    { at: at(1), type: 'agent.started', agent: 'verifier', step: 'execute', launch, iteration: 1 },
    {
      at: at(9),
      type: 'tests.executed',
      agent: 'verifier',
      step: 'execute',
      launch,
      machine: failed > 0 ? 'fail' : 'pass',
      exit_code: failed > 0 ? 1 : 0,
      counts: { total: 42, passed: 42 - failed, failed, skipped: 0 },
      coverage: 91.4,
      duration_ms: 8200,
      tree: TREE,
      tests_tree: BASE,
    },
    exited('verifier', 'execute', launch, 0),
  ];
  const verdict = (launch: number, word: string, next: 'fix' | 'ready', reason: string): RunEvent => ({
    at: at(1),
    type: 'verdict.given',
    agent: 'gatekeeper',
    step: 'gate',
    launch,
    verdict: word,
    claimed: word,
    lowered: null,
    reason,
    issues: [],
    next,
  });
  return [
    started(run_id, at(0)),
    { at: at(1), type: 'agent.started', agent: 'refiner', step: 'refine', launch: 1, iteration: 1 },
    {
      at: at(24),
      type: 'crp.created',
      crp_id: 'crp-001',
      agent: 'refiner',
      hash: 'abc',
      seen_as: 'crp-001.json',
      why: 'question',
      question: 'Should the limit hold for each account or for each address?',
      crp: QUESTION,
    },
    exited('refiner', 'refine', 1, 0.021),
    {
      at: at(180),
      type: 'vcr.created',
      vcr_id: 'vcr-001',
      crp_id: 'crp-001',
      decision: 'account',
      rationale: 'Many of our users share an address.',
      effect: 'resume',
      applies_to_future: false,
    },
    ...agent('refiner', 'refine', 2, 1, 31, 0.034),
    ...agent('builder', 'build', 3, 1, 212, 0.412),
    ...agent('verifier', 'generate', 4, 1, 96, 0.067),
    ...tested(5, 2),
    ...agent('verifier', 'analyse', 6, 1, 22, 0.018),
    { at: at(1), type: 'agent.started', agent: 'gatekeeper', step: 'gate', launch: 7, iteration: 1 },
    verdict(7, 'MINOR_FAIL', 'fix', 'Two tests fail: a bucket is never refilled beyond its burst.'),
    exited('gatekeeper', 'gate', 7, 0.094),
    ...agent('builder', 'build', 8, 1, 74, 0.138),
    ...agent('verifier', 'generate', 9, 1, 41, 0.044),
    ...tested(10, 0),
    ...agent('verifier', 'analyse', 11, 1, 18, 0.016),
    { at: at(1), type: 'agent.started', agent: 'gatekeeper', step: 'gate', launch: 12, iteration: 1 },
    verdict(12, 'PASS', 'ready', 'All tests pass and the limit is applied before the password is read.'),
    exited('gatekeeper', 'gate', 12, 0.081),
    { at: at(1), type: 'mrp.created', commit: COMMIT, tree: TREE, cost_usd: 0.925, files: {}, pack: COMMIT },
  ];
}

/** The same run while the first agent of a step is running. */
export const untilStep =
  (step: string) =>
  (events: readonly RunEvent[]): RunEvent[] =>
    events.slice(0, events.findIndex(e => e.type === 'agent.started' && e.step === step) + 1);
export const untilBuilding = untilStep('build');
/** The same run while its question is open. */
export const untilAsking = (events: readonly RunEvent[]): RunEvent[] =>
  events.slice(0, events.findIndex(e => e.type === 'crp.created') + 2);

/** An old run with as few events as possible. */
export const longAgo = (run_id: string, start: number, end: 'stopped' | 'failed'): RunEvent[] => [
  started(run_id, new Date(start).toISOString()),
  end === 'stopped'
    ? { at: new Date(start + 900_000).toISOString(), type: 'run.stopped', reason: 'no longer needed' }
    : { at: new Date(start + 300_000).toISOString(), type: 'run.failed', reason: 'the disk is full' },
];
