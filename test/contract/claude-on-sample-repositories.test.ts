/** The real `claude` takes a correct change in each sample repository from `init` to a merge. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { projectFiles, runFiles } from '../../src/formats/layout.ts';
import { type Field, fieldOf } from '../field/field-project.ts';
import type { Sample } from '../field/sample.ts';
import { jestRoot } from '../field/samples/jest-root.ts';
import { npmWorkspaces } from '../field/samples/npm-workspaces.ts';
import { pythonSrc } from '../field/samples/python-src.ts';
import { typescriptAliases } from '../field/samples/typescript-aliases.ts';
import { bash, scriptedAgents, scriptWith, write } from './agent-scripts.ts';
import { type MessagesApi, messagesApi } from './fake-messages-api.ts';
import { claudeBin } from './install-claude.ts';

const VERIFIER = fileURLToPath(new URL('../field/scripted-verifier.mjs', import.meta.url));

const opened: (Field | MessagesApi)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await ('end' in one ? one.end() : one.close());
});

/** The Builder writes the correct change; the Verifier takes the test command from its prompt. */
const apiFor = (sample: Sample, script: () => string): Promise<MessagesApi> =>
  messagesApi(
    scriptedAgents({
      builder: files =>
        scriptWith(
          ...Object.entries(sample.honest).map(([path, text]) =>
            write(join(files.worktree, path), text ?? ''),
          ),
          write(join(files.builder, 'log.md'), 'Written as asked.'),
          write(files.doneOf('builder'), 'done'),
        ),
      generate: files =>
        scriptWith(
          bash(`cd '${files.dir}' && '${process.execPath}' '${VERIFIER}' '${script()}'`),
          write(files.testsReady, 'done'),
        ),
    }),
  );

for (const sample of [npmWorkspaces, jestRoot, typescriptAliases, pythonSrc])
  test.skipIf(sample.missing !== null)(`a run with claude ends in a merge: ${sample.name}`, async () => {
    let script = '';
    const api = await apiFor(sample, () => script);
    opened.push(api);
    const field = await fieldOf(sample, {
      programs: [claudeBin, dirname(process.execPath)],
      variables: {
        IS_SANDBOX: '1',
        ANTHROPIC_API_KEY: 'sk-ant-loopback',
        ANTHROPIC_BASE_URL: api.url,
      },
    });
    opened.push(field);
    const clone = await field.clone();
    script = clone.script;
    const options = ['--backend', 'claude', '--launcher', 'process', '--no-browser', '--json'];
    const started = await clone.dure('start', 'Do what the sample says.', ...options);
    const [run] = await readdir(projectFiles(clone.root).runs);
    const files = runFiles(projectFiles(clone.root).run(run!));
    const log = (await clone.sh(`cat '${files.events}' '${files.testLog}'`)).stdout;
    expect(JSON.parse(started.stdout), log).toMatchObject({
      phase: 'ready_for_merge',
      verdict: { verdict: 'PASS' },
      iteration: 1,
    });
    expect(await clone.dure('approve', '--json'), log).toMatchObject({ code: 0 });
    const [path, text] = Object.entries(sample.honest)[0]!;
    expect((await clone.sh(`git show HEAD:'${path}'`)).stdout).toBe(text);
  });
