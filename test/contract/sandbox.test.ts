import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findSandbox } from '../../src/process/sandbox.ts';
import { bash, consult, greets, team } from './agent-scripts.ts';
import { type MessagesApi, messagesApi } from './messages-api.ts';
import { claimsOf, eventsOf, project } from './project.ts';

const found = await findSandbox(process.env);
const opened: MessagesApi[] = [];
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

describe.skipIf(found.kind === 'none')(
  `Claude Code in a sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    test.each(['standard', 'strict'])(
      '%s: four agents take a briefing to a merge without consent, and a question is resumed in its session',
      async mode => {
        const api = await messagesApi(
          team({
            builder: (files, time) => [
              {
                say: 'I look.',
                use: [bash(`ls -A ${files.dir} ~ > ${join(files.builder, 'saw.txt')} 2>&1`)],
              },
              { say: 'I must ask.', use: [consult] },
              ...greets(files, time),
            ],
          }),
        );
        opened.push(api);
        const { start, dure, root } = await project(api, { IS_SANDBOX: '' });
        expect((await dure('config', 'set', 'sandbox.mode', mode)).code).toBe(0);
        const asked = await start();
        expect(asked).toMatchObject({ code: 3, json: { phase: 'waiting_human', pending_crp: 'crp-001' } });
        expect((await dure('answer', '--decision', 'B', '--rationale', 'It is more polite.')).code).toBe(0);
        expect(await dure('wait', '--for', 'human')).toMatchObject({ json: { phase: 'ready_for_merge' } });
        const exits = (await eventsOf(asked.files)).filter(
          e => e.type === 'agent.exited' && e.step === 'build',
        );
        expect(exits).toHaveLength(2);
        expect(new Set(exits.map(e => e.type === 'agent.exited' && e.session)).size).toBe(1);
        const saw = await readFile(join(asked.files.builder, 'saw.txt'), 'utf8');
        expect(saw).not.toMatch(/state\.json|events\.log|sealed|gatekeeper/);
        expect(await claimsOf(asked.files)).toHaveLength(7);
        expect(await dure('approve')).toMatchObject({ code: 0, json: { phase: 'completed' } });
        expect(await readdir(root)).toContain('greeting.txt');
      },
    );
  },
);
