import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { markCommandsSeen } from '../../src/core/run/seen-commands-and-used-projects.ts';
import { globalConfig } from '../../src/formats/config/config-global.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import {
  configView,
  eventsPage,
  otherProject,
  overview,
  type Problem,
  runsPage,
  runView,
  streamPage,
} from '../../src/server/http-protocol.ts';
import { mrpView } from '../../src/server/pack-protocol.ts';
import { crps } from '../../src/server/question-and-action-protocol.ts';
import { runActions } from '../../src/server/run-actions.ts';
import { ask, begun, makePlace, question, REFINER, TREE, type Untimed } from './test-server.ts';

const ID = 'run-20260131-142233';
const noCommands = { global: globalConfig.parse({}) };
const problemOf = (answer: { json<T>(): T }): Problem => answer.json<{ error: Problem }>().error;

describe('the three specified endpoints', () => {
  it('GET /api/runs/:runId returns state.json plus derived fields for the pages', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    const server = await place.serve();
    const answer = await ask(server, `/api/runs/${ID}`);
    expect(answer.status).toBe(200);
    const view = runView.parse(answer.json());
    expect(view).toMatchObject(JSON.parse(await readFile(run.files.state, 'utf8')));
    expect(view).toMatchObject({ title: 'Limit the rate', driven: true, working: true, wants: null });
    expect(Date.parse(view.deadline!)).toBeGreaterThan(Date.now());
  });

  it('GET /api/runs/:runId/crp returns the pending questions', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await run.ask();
    const server = await place.serve();
    const { pending, resolved } = crps.parse((await ask(server, `/api/runs/${ID}/crp`)).json());
    expect(pending).toMatchObject([{ crp_id: 'crp-001', question: question().question }]);
    expect(resolved).toEqual([]);
    const one = await ask(server, `/api/runs/${ID}/crp/crp-001`);
    expect(one.json()).toMatchObject({ open: true, vcr: null, crp: { recommendation: 'A' } });
  });

  it("an agent's file is not a question until Dure has recorded it", async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await replaceJson(run.files.crp('crp-001'), question());
    const server = await place.serve();
    expect((await ask(server, `/api/runs/${ID}/crp`)).json()).toEqual({ pending: [], resolved: [] });
    expect((await ask(server, `/api/runs/${ID}/crp/crp-001`)).status).toBe(404);
  });

  it.each([
    [
      'as in vcr-NNN.json',
      { crp_id: 'crp-001', decision: 'A', rationale: 'simple first', applies_to_future: true },
    ],
    [
      'as on the dashboard socket',
      {
        crpId: 'crp-001',
        decision: 'A: 60 requests per minute per IP',
        rationale: 'simple first',
        appliesToFuture: true,
      },
    ],
  ])(
    'POST /api/runs/:runId/vcr accepts field names %s and responds when vcr.created is recorded',
    async (_, body) => {
      const place = await makePlace();
      const run = await place.run(ID);
      await run.tell(begun);
      await run.ask();
      const server = await place.serve();
      const answer = await ask(server, `/api/runs/${ID}/vcr`, { body });
      expect(answer.json()).toEqual({
        ok: true,
        id: `${ID}#4`,
        event: { type: 'vcr.created', seq: 4 },
        vcr_id: 'vcr-001',
      });
      expect(JSON.parse(await readFile(run.files.vcr('vcr-001'), 'utf8'))).toMatchObject({
        crp_id: 'crp-001',
        decision: 'A',
        rationale: 'simple first',
        applies_to_future: true,
      });
      expect(await readFile(run.files.events, 'utf8')).toMatch(/vcr\.created .*seq=4 /);
      expect((await ask(server, `/api/runs/${ID}/crp/crp-001`)).json()).toMatchObject({
        open: false,
        vcr: { decision: 'A' },
      });
      const second = await ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001', decision: 'B' } });
      expect(second.status).toBe(409);
    },
  );

  it('an answer with an amount raises the budget; free text alone is refused', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await run.ask({
      crp_id: 'crp-001',
      created_by: 'dure',
      type: 'budget',
      status: 'pending',
      question: 'The budget of $5.00 is used up. What should happen next?',
      options: [
        { id: 'raise', label: 'Grant the same once more' },
        { id: 'stop', label: 'Stop the run' },
      ],
    });
    const server = await place.serve();
    const give = (body: object) =>
      ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001', ...body } });
    const words = await give({ rationale: 'Take what you need.' });
    expect([words.status, problemOf(words).code]).toEqual([400, 'E_WORDS_ALONE']);
    await expect(readFile(run.files.vcr('vcr-001'))).rejects.toThrow('ENOENT');
    expect((await give({ decision: '$20', rationale: 'but no more' })).status).toBe(200);
    expect(JSON.parse(await readFile(run.files.vcr('vcr-001'), 'utf8'))).toMatchObject({
      decision: 'raise',
      amount_usd: 20,
      rationale: 'but no more',
    });
  });

  it('POST /api/runs/:runId/vcr refuses an answer that is not an option, and writes nothing', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await run.ask();
    const server = await place.serve();
    const answer = await ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001', decision: 'Z' } });
    expect(answer.status).toBe(400);
    expect(problemOf(answer).code).toBe('E_OPTION_UNKNOWN');
    await expect(readFile(run.files.vcr('vcr-001'))).rejects.toThrow('ENOENT');
  });

  it('POST /api/runs/:runId/vcr names the invalid field in snake_case or camelCase, and reports a missing decision', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await run.ask();
    const server = await place.serve();
    const problem = async (body: object) => problemOf(await ask(server, `/api/runs/${ID}/vcr`, { body }));
    expect((await problem({})).message).toContain('crp_id');
    expect((await problem({ crp_id: 5, decision: 'A' })).message).toMatch(/^crp_id: /);
    expect((await problem({ crpId: 'crp-001', decision: 5 })).message).toMatch(/^decision: /);
    const empty = await ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001' } });
    expect([empty.status, problemOf(empty).code]).toEqual([400, 'E_NO_ANSWER']);
  });
});

describe('user requests', () => {
  it('stop, retry and extend return the resulting event', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    const server = await place.serve();
    const at = (verb: string) => `/api/runs/${ID}/${verb}`;
    expect((await ask(server, at('extend'), { body: { ms: 60_000 } })).json()).toMatchObject({
      event: { type: 'agent.extended', seq: 3 },
    });
    expect((await ask(server, at('retry'), { body: { agent: 'refiner' } })).json()).toMatchObject({
      event: { type: 'agent.retried', seq: 4 },
    });
    const builder = await ask(server, at('retry'), { body: { agent: 'builder' } });
    expect([builder.status, problemOf(builder).code]).toEqual([409, 'E_NOT_AT_WORK']);
    expect((await ask(server, at('stop'), { body: { reason: 'enough' } })).json()).toMatchObject({
      ok: true,
      event: { type: 'run.stopped', seq: 5 },
    });
    await run.tell();
    expect(run.journal.state).toMatchObject({ phase: 'stopped', reason: 'enough' });
    const late = await ask(server, at('stop'), { body: {} });
    expect([late.status, problemOf(late).code]).toEqual([409, 'E_RUN_OVER']);
  });

  it('an approval applies only to the tree that was shown', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.pack();
    const server = await place.serve();
    const other = await ask(server, `/api/runs/${ID}/approve`, { body: { tree: 'd'.repeat(40) } });
    expect([other.status, problemOf(other).code]).toEqual([409, 'E_PACK_MOVED']);
    const answer = await ask(server, `/api/runs/${ID}/approve`, { body: { tree: TREE, how: 'branch' } });
    expect(answer.json()).toMatchObject({ ok: true, event: { type: 'run.completed' } });
  });

  it.each<[name: string, happens: Untimed, code: string]>([
    [
      'is refused at once when someone else requests changes',
      { type: 'mrp.rejected', feedback: 1, summary: 'No.' },
      'E_NOT_READY',
    ],
    [
      'whose file is refused, for example because it is a copy, is reported at once',
      { type: 'decision.refused', file: 'requests/approve.json', hash: 'h', problem: 'it is a copy' },
      'E_DECISION_IGNORED',
    ],
  ])('a waiting approval %s', async (_, happens, code) => {
    const place = await makePlace();
    const run = await place.run(ID, false);
    await run.pack();
    // `wake` is called once the request is written.
    const actions = runActions(place.project, () => void run.tell(happens));
    const approval = actions.approve(ID, { tree: TREE, how: 'merge', tests: 'leave', hooks: 'run' });
    await expect(approval).rejects.toMatchObject({ code });
  });

  it('the refusal of an earlier approval is not returned for a later one', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.pack();
    const server = await place.serve({
      actions: {
        wake: () =>
          void run.tell(
            { type: 'approval.refused', reason: 'not clean', asked_at: '2026-01-31T14:22:33.000Z' },
            { type: 'run.completed', how: 'branch', merged: false, into: null, commit: TREE, tree: TREE },
          ),
      },
    });
    const answer = await ask(server, `/api/runs/${ID}/approve`, { body: { tree: TREE } });
    expect(answer.json()).toMatchObject({ ok: true, event: { type: 'run.completed' } });
  });

  it('an empty briefing is refused, and so is a setting whose number is too large', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const empty = await ask(server, '/api/runs', { body: { briefing: '\u0000' } });
    expect([empty.status, problemOf(empty).fields?.[0]?.path]).toEqual([400, 'briefing']);
    const infinite = await ask(server, '/api/config/global', {
      method: 'PUT',
      text: '{"value":{"max_iterations":1e400}}',
      headers: { 'content-type': 'application/json' },
    });
    expect([infinite.status, problemOf(infinite).code]).toEqual([400, 'E_CONFIG']);
  });

  it('requesting changes stores the comments by line, and the run builds again', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.pack();
    const server = await place.serve();
    const comments = [{ file: 'src/limit.ts', line: 3, comment: 'Name this.' }];
    const answer = await ask(server, `/api/runs/${ID}/reject`, {
      body: { tree: TREE, feedback: 'Almost.', comments },
    });
    expect(answer.json()).toMatchObject({ ok: true, event: { type: 'mrp.rejected' } });
    expect(JSON.parse(await readFile(run.files.feedbackOf(1), 'utf8'))).toMatchObject({
      tree: TREE,
      feedback: 'Almost.',
      comments,
    });
    await expect.poll(() => run.journal.state).toMatchObject({ phase: 'build', iteration: 2 });
  });

  it('a request that no driver picks up is kept and reported as E_NOT_TAKEN', async () => {
    const place = await makePlace();
    const run = await place.run(ID, false);
    await run.tell(begun);
    const woken: string[] = [];
    const word = runActions(place.project, id => void woken.push(id), { request: 300, merge: 300 });
    await expect(word.stop(ID, { reason: 'enough' })).rejects.toMatchObject({ code: 'E_NOT_TAKEN' });
    expect(woken).toEqual([ID]);
    expect(JSON.parse(await readFile(run.files.request('stop'), 'utf8'))).toMatchObject({ reason: 'enough' });
  });

  it('an interrupted run is resumed before a decision about its pack is written', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.pack();
    await run.tell({ type: 'run.interrupted', phase: 'ready_for_merge', reason: 'the server ended' });
    const server = await place.serve({
      actions: {
        wake: () => {
          void (isResumed ? complete() : resume());
          isResumed = true;
        },
      },
    });
    let isResumed = false;
    const resume = () => run.tell({ type: 'run.resumed', phase: 'ready_for_merge' });
    const complete = () =>
      run.tell({ type: 'run.completed', how: 'branch', merged: false, into: null, commit: TREE, tree: TREE });
    expect((await ask(server, `/api/runs/${ID}`)).json()).toMatchObject({
      phase: 'interrupted',
      wants: 'review',
    });
    const answer = await ask(server, `/api/runs/${ID}/approve`, { body: { tree: TREE } });
    expect(answer.json()).toMatchObject({ ok: true, event: { type: 'run.completed' } });
  });

  it('a refused approval reports the reason', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.pack();
    const server = await place.serve({
      actions: {
        wake: () =>
          void run.tell({
            type: 'approval.refused',
            reason: 'your working tree is not clean',
            asked_at: new Date().toISOString(),
          }),
      },
    });
    const answer = await ask(server, `/api/runs/${ID}/approve`, { body: { tree: TREE } });
    expect([answer.status, problemOf(answer).code]).toEqual([409, 'E_MERGE']);
    expect(problemOf(answer).message).toContain('your working tree is not clean');
  });

  it('POST /api/runs starts a run with the requested options', async () => {
    const place = await makePlace();
    const requests: unknown[] = [];
    const server = await place.serve({
      actions: {
        start: async request => {
          requests.push(request);
          return { runId: (await place.run(ID)).id };
        },
      },
    });
    const body = { briefing: 'Limit the rate', base: 'main', budget_usd: 2, yes: true };
    const answer = await ask(server, '/api/runs', { body });
    expect([answer.status, answer.json()]).toEqual([201, { ok: true, run_id: ID }]);
    expect(requests).toEqual([body]);
    const empty = await ask(server, '/api/runs', { body: { briefing: '  ' } });
    expect(problemOf(empty).fields).toEqual([{ path: 'briefing', message: 'Describe what to do.' }]);
  });
});

describe('the API for the web UI', () => {
  it('the state comes from the log, even before state.json is updated', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    const before = await readFile(run.files.state, 'utf8');
    await run.tell(begun);
    await run.ask();
    await writeFile(run.files.state, before);
    const server = await place.serve();
    expect((await ask(server, `/api/runs/${ID}`)).json()).toMatchObject({ phase: 'waiting_human', seq: 3 });
    expect((await ask(server, `/api/runs/${ID}/crp`)).json()).toMatchObject({
      pending: [{ crp_id: 'crp-001' }],
    });
  });

  it('returns the events after a sequence number, each with its number and severity', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun, { type: 'agent.failed', ...REFINER, kind: 'crash', message: 'gone' });
    const server = await place.serve();
    const page = eventsPage.parse((await ask(server, `/api/runs/${ID}/events?since=1`)).json());
    expect(page.last).toBe(3);
    expect(page.events.map(({ seq, severity, event }) => [seq, severity, event.type])).toEqual([
      [2, 'info', 'agent.started'],
      [3, 'error', 'agent.failed'],
    ]);
  });

  it('returns the merge-readiness pack: summary, diff, test log, tree and decisions', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await run.tell(begun);
    await run.ask();
    const server = await place.serve();
    expect((await ask(server, `/api/runs/${ID}/mrp`)).status).toBe(404);
    await ask(server, `/api/runs/${ID}/vcr`, { body: { crp_id: 'crp-001', decision: 'A' } });
    const other = await place.run('run-20260131-142234');
    await mkdir(other.files.mrpCode, { recursive: true });
    await mkdir(other.files.verifier, { recursive: true });
    await writeFile(other.files.summary, '# Rate limit\n');
    await writeFile(other.files.patch, 'diff --git a/x b/x\n');
    await writeFile(`${other.files.mrpCode}/x`, 'y');
    await other.pack();
    await writeFile(other.files.testLog, '3 passed\x1b]0;title\x07\n');
    const view = mrpView.parse((await ask(server, `/api/runs/${other.id}/mrp`)).json());
    expect(view).toMatchObject({
      tree: TREE,
      open: true,
      summary: '# Rate limit\n',
      patch: 'diff --git a/x b/x\n',
      patch_truncated: false,
      log_tail: '3 passed\n',
      files: ['x'],
    });
    for (const path of ['../x', '/etc/passwd', 'a%00b']) {
      const refused = await ask(server, `/api/runs/${other.id}/packs/1/file?side=new&path=${path}`);
      expect(refused.status).toBe(400);
    }
  });

  it('returns agent output in pieces, as readable text or as raw output', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(run.files.logs, { recursive: true });
    const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello' }] } };
    const used = {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] },
    };
    await writeFile(run.files.stream('refiner', 1), 'old\n');
    await writeFile(
      run.files.stream('refiner', 4),
      `${JSON.stringify(said)}\n${JSON.stringify(used)}\n{"half":`,
    );
    const server = await place.serve();
    const page = streamPage.parse((await ask(server, `/api/runs/${ID}/streams/refiner`)).json());
    expect(page).toMatchObject({ launch: 4, launches: [1, 4], offset: 0 });
    expect(page.lines).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'tool', text: '● Bash ls' },
    ]);
    expect(page.next).toBe(page.size - '{"half":'.length);
    const old = streamPage.parse((await ask(server, `/api/runs/${ID}/streams/refiner?launch=1`)).json());
    expect(old.lines).toEqual([{ kind: 'text', text: 'old' }]);
    const raw = streamPage.parse((await ask(server, `/api/runs/${ID}/streams/refiner?raw=1`)).json());
    expect(raw.lines[0]).toEqual({ kind: 'raw', text: JSON.stringify(said) });
  });

  it('returns the last whole lines of agent output', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(run.files.logs, { recursive: true });
    const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('');
    await writeFile(run.files.stream('refiner', 1), lines);
    const server = await place.serve();
    const tail = async (bytes: number) =>
      streamPage.parse((await ask(server, `/api/runs/${ID}/streams/refiner?tail=${bytes}`)).json());
    const page = await tail(100);
    expect(page).toMatchObject({ next: lines.length, size: lines.length });
    expect(page.lines.map(({ text }) => `${text}\n`).join('')).toBe(lines.slice(page.offset));
    expect(lines.length - page.offset).toBeLessThanOrEqual(100);
    expect((await tail(200_000)).offset).toBe(0);
  });

  it('returns an artefact as a plain-text download', async () => {
    const place = await makePlace();
    const run = await place.run(ID);
    await mkdir(`${run.files.builder}/reports`, { recursive: true });
    await writeFile(`${run.files.builder}/reports/ré sumé.html`, '<script>alert(1)</script>');
    const server = await place.serve();
    const answer = await ask(
      server,
      `/api/runs/${ID}/artefacts/builder/reports/${encodeURIComponent('ré sumé.html')}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('<script>alert(1)</script>');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment;/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('the overview lists waiting runs first, beginning with the one that has waited longest', async () => {
    const place = await makePlace();
    const waiting = await place.run('run-20260131-142231');
    await waiting.tell(begun);
    await waiting.ask();
    const ready = await place.run('run-20260131-142232');
    await ready.pack();
    const active = await place.run('run-20260131-142233');
    await active.tell(begun);
    const stopped = await place.run('run-20260131-142234');
    await stopped.tell({ type: 'run.stopped', reason: 'enough' });
    const server = await place.serve();
    const view = overview.parse((await ask(server, '/api/overview')).json());
    expect(view.version).toBe('9.9.9');
    expect(view.waiting.map(({ run_id, wants }) => [run_id, wants])).toEqual([
      [waiting.id, 'answer'],
      [ready.id, 'review'],
    ]);
    expect(view.active.map(row => row.run_id)).toEqual([active.id]);
    expect(view.recent.map(row => row.run_id)).toEqual([stopped.id]);
    expect(view.runs).toBe(4);
  });

  it('a run without a driver is shown as interrupted, one with a damaged state is read from its log, and one whose log is damaged too is unreadable', async () => {
    const place = await makePlace();
    const left = await place.run('run-20260131-142231', false);
    await left.tell(begun);
    const damaged = await place.run('run-20260131-142232');
    await writeFile(damaged.files.state, '{"run_id":');
    const lost = await place.run('run-20260131-142233');
    await writeFile(lost.files.state, '{"run_id":');
    await writeFile(lost.files.events, 'not a log\n');
    const server = await place.serve();
    const { runs } = runsPage.parse((await ask(server, '/api/runs')).json());
    expect(runs.map(({ run_id, phase }) => [run_id, phase])).toEqual([
      [lost.id, 'unreadable'],
      [damaged.id, 'refine'],
      [left.id, 'interrupted'],
    ]);
    expect(runs[0]!.problem).toContain('events.log');
  });

  it('a new run is not shown as interrupted before it gets its driver', async () => {
    // It has five seconds to get its driver.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const place = await makePlace();
    const run = await place.run(ID);
    await rm(run.files.driver);
    const server = await place.serve();
    const { runs } = runsPage.parse((await ask(server, '/api/runs')).json());
    expect(runs.map(row => row.phase)).toEqual(['refine']);
  });
});

describe('ten thousand runs', () => {
  it('are searched, filtered, sorted and paged by the server, and changes appear immediately', async () => {
    const place = await makePlace();
    const template = await place.run(ID);
    await template.tell({ type: 'run.stopped', reason: 'enough' });
    const state = JSON.parse(await readFile(template.files.state, 'utf8')) as Record<string, unknown>;
    const ids = Array.from({ length: 10_000 }, (_, i) => {
      const at = new Date(Date.UTC(2025, 0, 1) + i * 61_000).toISOString();
      return { id: `run-${at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`, at, i };
    });
    for (let from = 0; from < ids.length; from += 200)
      await Promise.all(
        ids.slice(from, from + 200).map(async ({ id, at, i }) => {
          const dir = place.project.run(id);
          await mkdir(`${dir}/briefing`, { recursive: true });
          const usage = {
            builder: {
              cost_usd: i / 1000,
              complete: true,
              input_tokens: 1,
              output_tokens: 1,
              cache_read_input_tokens: 0,
              cache_creation_input_tokens: 0,
            },
          };
          const phase = i % 10 === 0 ? 'completed' : 'stopped';
          await writeFile(
            `${dir}/state.json`,
            JSON.stringify({ ...state, run_id: id, phase, started_at: at, updated_at: at, usage }),
          );
          await writeFile(`${dir}/briefing/raw.md`, `# Task number ${i}\n`);
        }),
      );
    const server = await place.serve();
    const get = async (query: string) => runsPage.parse((await ask(server, `/api/runs${query}`)).json());
    const first = await get('');
    expect(first).toMatchObject({
      total: 10_001,
      page: 1,
      limit: 25,
      phases: { completed: 1000, stopped: 9001 },
    });
    expect(first.runs.slice(0, 2).map(row => row.run_id)).toEqual([ID, ids.at(-1)!.id]);
    expect((await get('?page=2&limit=100&phase=completed')).runs).toHaveLength(100);
    expect((await get('?page=11&limit=100&phase=completed')).runs).toHaveLength(0);
    const found = await get('?search=number%20777&sort=oldest&limit=100');
    const sevens = ids.flatMap(({ i }) => (String(i).includes('777') ? `Task number ${i}` : []));
    expect(found.runs.map(row => row.title)).toEqual(sevens);
    expect(sevens).toHaveLength(19);
    expect((await get('?sort=cost&limit=1')).runs[0]).toMatchObject({
      title: 'Task number 9999',
      cost_usd: 9.999,
    });
    const fresh = await place.run('run-20260701-000000');
    await fresh.tell(begun);
    await expect
      .poll(async () => (await get('?limit=1')).runs[0])
      .toMatchObject({ run_id: fresh.id, phase: 'refine' });
    await fresh.tell({ type: 'run.stopped', reason: 'x' });
    await expect.poll(async () => (await get('?limit=1')).runs[0]!.phase).toBe('stopped');
  });
});

describe('other projects', () => {
  it('are listed with the address of their pages, the number of runs waiting for the user (including those whose agent is late), and how long they have been waiting', async () => {
    const [here, other, idle] = [await makePlace(), await makePlace(), await makePlace()];
    for (const { root } of [here, other, idle]) await markCommandsSeen(root, noCommands);
    await (await here.run(ID)).ask();
    const [first, second] = [await other.run(ID), await other.run('run-20260131-142234')];
    for (const run of [first, second]) await run.ask();
    await (await other.run('run-20260131-142235')).tell({ type: 'run.stopped', reason: 'x' });
    const late = await other.run('run-20260131-142236');
    await late.tell(begun);
    await late.tell({ type: 'agent.timeout', ...REFINER, action: 'warn', after_ms: 300_001 });
    await (await idle.run(ID)).tell(begun);
    const server = await here.serve();
    const listed = async () => {
      const all = z.array(otherProject).parse((await ask(server, '/api/projects')).json());
      return all.filter(({ root }) => [here, other, idle].some(place => place.root === root));
    };
    const entry = {
      name: basename(other.root),
      root: other.root,
      waiting: 3,
      url: null,
      since: first.journal.state!.updated_at,
      command: `dure pages --project ${other.root}`,
    };
    await expect.poll(listed).toEqual([entry]);
    const { port } = await other.serve();
    await second.tell({ type: 'run.stopped', reason: 'x' });
    const shown = { ...entry, waiting: 2, url: `http://127.0.0.1:${port}/` };
    await expect.poll(listed).toEqual([shown]);
  });
});

describe('settings', () => {
  it('show the values set in the file, the effective values, the defaults, and a schema with help texts', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const all = (await ask(server, '/api/config')).json<unknown[]>().map(one => configView.parse(one));
    expect(all.map(one => one.name)).toEqual(['global', 'refiner', 'builder', 'verifier', 'gatekeeper']);
    const global = configView.parse((await ask(server, '/api/config/global')).json());
    expect(global.defaults).toMatchObject({ web_port: 3873, max_iterations: 3 });
    expect(global.schema).toMatchObject({
      properties: { web_port: { description: 'port of the web UI; 0: any free port' } },
    });
  });

  it('report all invalid fields and save nothing', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const before = await readFile(place.project.configOf('global'), 'utf8');
    const value = { max_iterations: 0, timeouts: { builder: 'long' }, colour: 'red' };
    const answer = await ask(server, '/api/config/global', { method: 'PUT', body: { value } });
    expect(answer.status).toBe(400);
    expect(
      problemOf(answer)
        .fields!.map(field => field.path)
        .sort(),
    ).toEqual(['colour', 'max_iterations', 'timeouts.builder']);
    expect(await readFile(place.project.configOf('global'), 'utf8')).toBe(before);
  });

  it('return errors in the language that the request prefers', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const refused = async (language: string, value: object) => {
      const headers = { 'accept-language': language };
      return problemOf(await ask(server, '/api/config/global', { method: 'PUT', body: { value }, headers }));
    };
    const invalid = { max_iterations: 500, timeouts: { builder: 'long' }, colour: 'red', backend: 1 };
    const inKorean = await refused('ko-KR,ko;q=0.9,en;q=0.8', invalid);
    expect(inKorean).toMatchObject({ code: 'E_CONFIG', message: '설정에 오류가 있습니다.' });
    expect(Object.fromEntries(inKorean.fields!.map(({ path, message }) => [path, message]))).toEqual({
      backend: '글자로 적으세요',
      colour: '알 수 없는 키',
      max_iterations: '50 이하로 적으세요',
      'timeouts.builder': '숫자를 적으세요',
    });
    expect((await refused('en-GB', invalid)).fields).toContainEqual({
      path: 'colour',
      message: 'Unknown key',
    });
    const shown = async (language: string) => {
      const headers = { 'accept-language': language };
      return configView.parse((await ask(server, '/api/config/builder', { headers })).json()).problem;
    };
    await writeFile(place.project.configOf('builder'), '{ "model": 5 }');
    expect([await shown('en'), await shown('ko')]).toEqual(['model: Use text', 'model: 글자로 적으세요']);
    await writeFile(place.project.configOf('builder'), '{');
    expect(await shown('ko')).toMatch(/^설정에 오류가 있습니다\.\n\.dure\/config\/builder\.json/);
    const unconfirmed = { workspace: { setup: 'npm ci' } };
    expect(await refused('ko', unconfirmed)).toMatchObject({
      code: 'E_CONFIRM',
      message: expect.stringMatching(/[가-힣]/),
    });
    expect(await refused('*', unconfirmed)).toMatchObject({ message: expect.not.stringMatching(/[가-힣]/) });
    const unknown = await ask(server, '/api/runs/run-20200101-000000', {
      headers: { 'accept-language': 'ko' },
    });
    expect(problemOf(unknown)).toMatchObject({
      message: 'run-20200101-000000 실행이 없습니다.',
      suggestions: ['`dure history`로 확인하세요.'],
    });
  });

  it('are saved; keys that control execution require confirmation', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const put = (body: unknown) => ask(server, '/api/config/global', { method: 'PUT', body });
    expect((await put({ value: { max_iterations: 5 } })).json()).toMatchObject({
      value: { max_iterations: 5 },
    });
    const value = { max_iterations: 5, workspace: { setup: 'npm ci' } };
    const asked = await put({ value });
    expect([asked.status, problemOf(asked).code]).toEqual([409, 'E_CONFIRM']);
    expect((await put({ value, confirm: true })).json()).toMatchObject({
      value: { workspace: { setup: 'npm ci' } },
    });
    expect(JSON.parse(await readFile(place.project.configOf('global'), 'utf8'))).toEqual(value);
  });
});

describe('the OpenAPI document', () => {
  it('describes every endpoint, using the same schemas', async () => {
    const place = await makePlace();
    const server = await place.serve();
    const document = (await ask(server, '/api/openapi.json')).json<{
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    }>();
    expect(document.openapi).toBe('3.0.3');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/api/session',
        '/api/runs',
        '/api/runs/{runId}',
        '/api/runs/{runId}/crp',
        '/api/runs/{runId}/vcr',
        '/api/runs/{runId}/artefacts/{path}',
        '/api/config/{name}',
        '/health/interrupted',
      ]),
    );
    expect(document.paths['/api/runs/{runId}']!['get']).toMatchObject({
      parameters: [
        { name: 'runId', in: 'path', required: true, schema: { pattern: '^run-\\d{8}-\\d{6}(-\\d{1,3})?$' } },
      ],
    });
  });
});
