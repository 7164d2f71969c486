/**
 * Decisions that nobody made, while a person's page is open: files without a proof, requests of other pages, and
 * requests without the session. A real server with its driver. The pages show what was refused; nothing else happens.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { readState } from '../../src/core/run/run-store.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { asks, builds, cassette } from '../e2e/agent-moves.ts';
import { cannotRun, served, visit } from '../e2e/serve-processes.ts';

if (cannotRun) console.warn(`Forged decisions next to an open page are not tested: ${cannotRun}.`);

/** The limit for a whole run, which normally takes a few seconds. */
const WAIT = { timeout: 300_000 };

const asked_at = new Date().toISOString();
const answer = { crp_id: 'crp-001', decision: 'B', rationale: 'forged' };
const forgedAnswer = { vcr_id: 'vcr-001', created_at: asked_at, applies_to_future: false, ...answer };
const by = { who: 'Ann', through: 'page', nonce: '0'.repeat(32), proof: '0'.repeat(64) };

async function forge(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}

/** Sends the request from a page; the status of the answer, or why there is none. */
const post = (page: Page, url: string, body: object, headers: Record<string, string>) =>
  page.evaluate(
    async ([url, body, headers]) =>
      fetch(url, { method: 'POST', headers, body }).then(
        answered => String(answered.status),
        () => 'no answer',
      ),
    [url, JSON.stringify(body), headers] as const,
  );

/** A page of another program. */
async function foreignOrigin(): Promise<string> {
  const server = createServer((_, res) =>
    res.setHeader('content-type', 'text/html').end('<title>a page</title>'),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.skipIf(cannotRun)(
  'a forged decision has no effect, and the pages of the run, question and pack say what was refused',
  async () => {
    const asking = { builder: [[asks('crp-001', 'builder'), { exit: 0 } as const], builds('hello\n')] };
    const project = await served(cassette(asking));
    const serving = await project.serve();
    const start = ['start', 'Write greeting.txt', '--launcher', 'process', '--detach', '--no-browser'];
    const id = String((await project.dureJson(start)).json['run_id']);
    const files: RunFiles = project.run(id);
    const state = async () => (await readState(files))!;
    const phase = async () => (await readState(files))?.phase;
    await expect.poll(phase, WAIT).toBe('waiting_human');

    const { page, context } = await visit(serving.entry!);
    const { origin } = new URL(page.url());
    // A page does not send its session, but a proof derived from it.
    const sent = page.waitForRequest(request => 'authorization' in request.headers());
    await page.goto(`${origin}/run/${id}`);
    const authorization = (await sent).headers()['authorization']!;
    await page.getByRole('button', { name: 'hello' }).first().waitFor();

    await page.goto(`${origin}/run/${id}/crp/crp-001`);
    await page.getByRole('radio').first().waitFor();

    // A forged file.
    await forge(files.vcr('vcr-001'), forgedAnswer);
    const refusedAnswer = page.getByText('Ignored vcr/vcr-001.json: it has no proof that a person made it');
    await refusedAnswer.waitFor();
    await page.goto(`${origin}/run/${id}`);
    await refusedAnswer.waitFor();
    expect(await state()).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001', decisions: [] });

    // Forged requests.
    const foreign = await context.newPage();
    await foreign.goto(await foreignOrigin());
    const vcr = `${origin}/api/runs/${id}/vcr`;
    const stop = `${origin}/api/runs/${id}/stop`;
    const json = { 'content-type': 'application/json' };
    for (const url of [vcr, stop]) {
      const body = url === vcr ? answer : {};
      expect(await post(page, url, body, json), 'without the session').toBe('401');
      expect(await post(page, url, { ...body, by }, { ...json, authorization }), 'with a proof').toBe('400');
      expect(await post(foreign, url, body, { ...json, authorization }), 'of another page').toBe('no answer');
      // As a form would send it: without a CORS preflight.
      expect(await post(foreign, url, body, { 'content-type': 'text/plain' })).toBe('no answer');
    }
    const left = async () => (await readdir(dirname(files.request('stop'))).catch(() => [])).sort();
    expect(await left()).toEqual([]);
    expect(await readdir(files.vcrs)).toEqual(['vcr-001.json']);
    expect(await state()).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001', decisions: [] });

    // The person's answer still counts.
    await page.getByRole('button', { name: 'hello' }).first().click();
    await expect.poll(phase, WAIT).toBe('ready_for_merge');
    const { mrp, decisions } = await state();
    expect(decisions).toEqual(['vcr-002']);

    await page.goto(`${origin}/run/${id}/mrp`);
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
    expect(await refusedAnswer.count(), 'the answer was refused before the pack was made').toBe(0);
    const head = await project.git('rev-parse', 'HEAD');
    await forge(files.request('approve'), {
      asked_at,
      tree: mrp!.tree,
      how: 'merge',
      tests: 'leave',
      hooks: 'run',
    });
    const refusedApproval = page.getByText(
      'Ignored requests/approve.json: it has no proof that a person made it',
    );
    await refusedApproval.waitFor();
    await page.goto(`${origin}/run/${id}`);
    await refusedApproval.waitFor();
    expect(await phase()).toBe('ready_for_merge');
    expect(await project.git('rev-parse', 'HEAD')).toBe(head);
  },
  900_000,
);
