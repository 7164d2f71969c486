/** Git fails for a while in the driver: the run waits, says so, and continues. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { builds, cassette, refines } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

test.each(['refine', 'build'])(
  'if git cannot parse its configuration when the result of %s is sealed, the run is delayed',
  async step => {
    const { start, root } = await scratchProject();
    const parts = {
      refiner: [[{ wait: 1000 }, ...refines]],
      builder: [[{ wait: 1000 }, ...builds('hello\n')]],
    };
    const run = await start(cassette(parts));
    const config = join(root, '.git/config');
    const intact = readFileSync(config);
    const delays: (RunEvent & { type: 'run.delayed' })[] = [];
    let repaired = Promise.resolve();
    const state = await run.drive(event => {
      if (event.type === 'agent.started' && event.step === step && delays.length === 0)
        appendFileSync(config, '[broken\n');
      if (event.type !== 'run.delayed') return;
      delays.push(event);
      repaired = pause(500).then(() => writeFileSync(config, intact));
    });
    await repaired;
    const story = await run.eventTypes();
    expect(state, story.join(', ')).toMatchObject({ phase: 'ready_for_merge' });
    expect(delays).toMatchObject([{ message: expect.stringContaining('bad config line') }]);
    expect(story).toContain('run.continued');
    expect(story).not.toContain('agent.failed');
    expect(story).not.toContain('crp.created');
  },
);

/** What keeps git from storing `hello`, as the root user too. */
const UNWRITABLE: Record<string, (git: string, run: string, launch: number) => string> = {
  'an object': git => join(git, 'objects', 'ce'),
  'a ref': (git, run, launch) => join(git, 'refs/dure', run, `build.${launch}`, 'x'),
};

test.each(Object.keys(UNWRITABLE))(
  'if %s cannot be written to the repository, the run is delayed and the agent does not fail',
  async what => {
    const { start, root } = await scratchProject();
    const run = await start(cassette({ builder: [[{ wait: 500 }, ...builds('hello\n')]] }));
    let blocking = '';
    const state = await run.drive(event => {
      if (event.type === 'agent.started' && event.step === 'build') {
        blocking = UNWRITABLE[what]!(join(root, '.git'), run.runId, event.launch);
        mkdirSync(dirname(blocking), { recursive: true });
        writeFileSync(blocking, '');
      }
      if (event.type === 'run.delayed') rmSync(blocking);
    });
    const story = await run.eventTypes();
    expect(state, story.join(', ')).toMatchObject({ phase: 'ready_for_merge' });
    expect(story).toContain('run.delayed');
    expect(story).not.toContain('agent.failed build');
  },
);
