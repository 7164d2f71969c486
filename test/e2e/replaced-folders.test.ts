import { describe, test } from 'vitest';
import { builds, cassette, flag } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

describe.concurrent('a folder that the Builder replaces is restored, and the Builder starts again', () => {
  test.for([
    ['builder', 'a file', 'echo text >'],
    ['crp', 'a file', 'echo text >'],
    ['logs', 'a pipe', 'mkfifo'],
    ['vcr', 'a pipe', 'mkfifo'],
    ['verifier/tests', 'a file', 'echo text >'],
  ])('%s, replaced with %s', async ([folder, kind, create], { expect, onTestFinished }) => {
    const { start } = await scratchProject({ onTestFinished });
    const replace = `mkdir -p "$(dirname ${folder})"; mv ${folder} ${folder}.was; ${create} ${folder}`;
    const replaces = [...builds('hello\n').slice(0, -1), { sh: replace }, flag('builder/done.flag')];
    const run = await start(cassette({ builder: [replaces, builds('hello\n')] }));
    expect((await run.drive()).phase).toBe('ready_for_merge');
    expect((await run.events()).filter(e => e.type === 'agent.failed')).toMatchObject([
      { step: 'build', kind: 'validation', message: `folders of the run were replaced: ${folder} (${kind})` },
    ]);
  });
});
