import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import notifyFile from '../../examples/notify-file/index.js';
import security from '../../examples/role-security/index.js';
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import { publisher } from '../../src/core/run/notify-channels.ts';
import {
  contributionsOf,
  loadContributions,
  type PluginFailure,
} from '../../src/plugins/load-contributions.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { enEvent } from '../../src/words/en-events.ts';
import { builtInPipeline } from '../helpers/built-in-pipeline.ts';
import { NOW, RUN_ID, sampleConfig, sampleState } from '../helpers/sample-values.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-examples-'));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

test('notify-file appends one line per notification', async () => {
  const { channels, problems } = await contributionsOf([{ plugin: 'dure-notify-file', load: notifyFile }]);
  const blames: PluginFailure[] = [...problems];
  const report = (blame: PluginFailure) => blames.push(blame);
  const { publish } = publisher({
    channels,
    sentence: enEvent,
    config: sampleConfig(),
    project: dir,
    report,
  });
  const state = (seq: number) => sampleState(undefined, { seq });
  await publish({ at: NOW, type: 'run.failed', reason: 'one' }, state(1));
  await publish({ at: NOW, type: 'run.failed', reason: 'two' }, state(2));
  const text = await readFile(join(dir, '.dure', 'server', 'notifications.log'), 'utf8');
  expect(text).toBe(`${NOW} ${RUN_ID} The run failed: one\n${NOW} ${RUN_ID} The run failed: two\n`);
  expect(blames).toEqual([]);
});

test('role-security is inserted between verify and gate, and its output shape accepts only valid findings', async () => {
  const { roles, problems } = await contributionsOf([
    { plugin: 'dure', load: builtInRoles, builtIn: true },
    { plugin: 'dure-role-security', load: security },
  ]);
  expect(problems).toEqual([]);
  const steps = builtInPipeline({ roles: roles.slice(4) }).map(step => step.name);
  expect(steps).toEqual(['refine', 'build', 'generate', 'execute', 'exam', 'analyse', 'security', 'gate']);
  const { shape } = roles.find(r => r.name === 'security')!.steps[0]!.outputs[1]!;
  const finding = {
    severity: 'high',
    file: 'src/a.ts',
    line: 3,
    problem: 'open to all',
    remedy: 'check the token',
  };
  expect((await shape?.safeParseAsync([finding]))?.success).toBe(true);
  expect((await shape?.safeParseAsync([{ ...finding, severity: 'awful' }]))?.success).toBe(false);
});

test.each(['notify-file', 'role-security', 'role-documenter'])(
  '%s is found by oclif in its folder',
  async name => {
    const config = await Config.load({
      root: join(packageRoot, 'examples', name),
      devPlugins: false,
      userPlugins: false,
    });
    const { channels, problems } = await loadContributions(config);
    // Without the built-in roles, a role has no place to be inserted.
    expect(channels.length + problems.length).toBe(1);
    for (const { problem } of problems) expect(problem).toContain('which no available role provides');
  },
);
