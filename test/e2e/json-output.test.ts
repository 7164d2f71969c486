/** Every command's `--json` output: one value on standard output that matches its schema in schemas/output. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoBriefing, demoProject } from '../../src/agents/rehearsal/cassettes/demo-files.ts';
import { followed, OUTPUT_NAMES } from '../../src/formats/output/commands.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { slowRun } from '../commands/slow-run.ts';
import { checkedOutputs } from '../helpers/check-json-output.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

describe('JSON output of a complete run', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await testProject(demoProject);
  });
  afterEach(() => project?.remove());
  const AWAY = ['--launcher', 'process', '--no-browser'];

  it('matches the published schema of each command', async () => {
    const ok = async (...args: string[]) => {
      const { code, json, stderr } = await project.dureJson(args);
      expect({ args, code, stderr }, JSON.stringify(json)).toEqual({ args, code: 0, stderr: '' });
      return json;
    };
    await ok('init', '--yes', '--backend', 'rehearsal');
    await ok('import-orchestral');
    await ok('doctor');
    await ok('config', 'get');
    await ok('config', 'set', 'max_iterations', '3');
    await ok('config', 'check');
    await ok('completion', 'bash');
    await ok('help', 'config', 'get');
    await ok('version');
    await ok('plugins', 'check', join(packageRoot, 'examples/notify-file'));
    await ok('plugins', 'link', join(packageRoot, 'examples/notify-file'));
    await ok('plugins');
    await ok('plugins', 'inspect', 'dure-notify-file');
    await ok('plugins', 'update');
    await ok('plugins', 'uninstall', 'dure-notify-file');
    await ok('plugins', 'install', join(packageRoot, 'examples/notify-file'));
    await ok('plugins', 'reset');
    await ok('config', 'set', 'proof.budget_s', '0');
    const asked = await project.dureJson(['start', demoBriefing, '--cassette', 'demo', ...AWAY]);
    expect(asked.code).toBe(3);
    const id = String(asked.json['run_id']);
    await ok('status');
    const inbox = await project.dureJson(['inbox'], { cwd: project.parentFolder });
    expect(inbox.json['waiting']).toContainEqual(
      expect.objectContaining({ run_id: id, project: project.root, waits_for: 'answer' }),
    );
    await ok('verify');
    expect((await project.dureJson(['answer'])).code).toBe(3);
    await ok('answer', '--yes');
    await ok('wait', '--for', 'human', '--timeout', '300');
    await ok('watch');
    // Its agents have no panes; test/e2e/no-leftovers.test.ts covers tmux.
    expect((await project.dureJson(['attach', id])).json.error?.code).toBe('E_NOT_IN_TMUX');
    await ok('bundle', id);
    await project.dureJson(['prove', id, '--rounds', '1']);
    await ok('review', '--diff');
    await ok('logs');
    await ok('logs', '--agent', 'builder');
    await ok('exam', '--budget', '5m');
    await ok('wait', '--for', 'human', '--timeout', '300');
    await ok('open');
    await project.write('NOTES.md', 'of a colleague\n');
    await project.git('add', 'NOTES.md');
    await project.git('commit', '--quiet', '-m', 'notes');
    await ok('rebase');
    await ok('wait', '--for', 'human', '--timeout', '300');
    await ok('approve');
    await ok('verify');
    await ok('serve', id, '--no-browser');
    const lines = (await project.dure(['logs', '--json', '--follow'])).stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(followed.shape.safeParse(JSON.parse(line)).error).toBeUndefined();
    await ok('start', 'Leave a note', ...AWAY);
    await ok('reject', '--feedback', 'Once more');
    await ok('stop');
    await ok('recover');
    await slowRun(project);
    await ok('extend', '--by', '5m');
    await ok('retry');
    await ok('pages');
    await ok('stop');
    await ok('history');
    await ok('clean', '--dry-run');
    await ok('demo', '--yes', '--keep', join(project.parentFolder, 'sample'));
    expect([...checkedOutputs].sort()).toEqual([...OUTPUT_NAMES].sort());
  });
});
