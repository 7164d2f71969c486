/** Misbehaving third-party plugins, linked the way users link them, in a whole run. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CommandResult, type TestProject, testProject } from '../helpers/test-project.ts';

const channel = (name: string, notify: string) =>
  `({ name: '${name}', channels: [{ name: '${name}', ${notify} }] })`;
const hook = (body: string) => `export default async () => { ${body} };\n`;

/** Keyed by behaviour: the source and the expected report. */
const BAD: Record<string, readonly [source: string, said: RegExp]> = {
  imports: [`import 'not-there-at-all';\n${hook('')}`, /not-there-at-all/],
  throws: [hook(`throw new Error('no luck today')`), /no luck today/],
  rejects: [
    hook(`Promise.reject(new Error('left alone')); return ${channel('rejects', 'notify() {}')}`),
    /unhandled promise rejection.*left alone/,
  ],
  exits: [hook('process.exit(0)'), /its process exited \(exit status 0\)/],
  twin: [
    hook(`return ${channel('notify-file', 'notify() {}')}`),
    /plugin notify-file is already contributed by another/,
  ],
  shapes: [hook(`return { name: 'shapes', channels: [{ name: 'shapes' }], roles: 5 }`), /roles/],
  // Linked last, because every later command waits for them.
  hangs: [hook('await new Promise(() => {})'), /longer than \d+ ms/],
  spins: [hook('for (;;) {}'), /longer than \d+ ms/],
};

/** Plugins that are valid when loaded but fail when called. */
const LATER: Record<string, readonly [source: string, said: RegExp]> = {
  'notify-exits': [
    hook(`return ${channel('notify-exits', 'notify() { process.exit(3) }')}`),
    /channel notify-exits: its process exited \(exit status 3\)/,
  ],
  'notify-spins': [
    hook(`return ${channel('notify-spins', `on: ['mrp.created'], notify() { for (;;) {} }`)}`),
    /channel notify-spins: it took longer than \d+ ms/,
  ],
  'notify-kills': [
    hook(`return ${channel('notify-kills', `notify() { process.kill(process.pid, 'SIGKILL') }`)}`),
    /channel notify-kills: its process exited \(SIGKILL\)/,
  ],
};

let project: TestProject;

async function link(name: string, source: string): Promise<void> {
  const root = join(project.parentFolder, name);
  await mkdir(root);
  const manifest = { name, version: '1.0.0', type: 'module', oclif: { hooks: { dure: './index.js' } } };
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(root, 'oclif.manifest.json'), JSON.stringify({ version: '1.0.0', commands: {} }));
  await writeFile(join(root, 'index.js'), source);
  const linked = await project.dure(['plugins', 'link', '--no-install', root]);
  expect(linked, linked.stderr).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  project = await testProject();
  project.env['DURE_DATA_DIR'] = join(project.parentFolder, 'data');
  project.env['DURE_NOTIFY_FILE'] = join(project.parentFolder, 'notifications.log');
  const init = await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  expect(init, init.stderr).toMatchObject({ code: 0 });
  // Of two with the same name, the first by package name is kept.
  const file = `import { appendFile } from 'node:fs/promises';
    export default async () => ({ name: 'notify-file', channels: [{ name: 'file',
      async notify({ text }) { await appendFile(process.env.DURE_NOTIFY_FILE, text + '\\n') } }] });`;
  await link('a-good-one', file);
  for (const [name, [source]] of Object.entries({ ...LATER, ...BAD })) await link(`dure-${name}`, source);
});
afterAll(() => project?.remove());

describe('eight invalid plugins and three that fail later', () => {
  let run: CommandResult;
  beforeAll(async () => {
    run = await project.dure(['start', 'Leave a note', '--launcher', 'process', '--no-browser']);
  });

  it('do not prevent a run from ending', () => {
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Ready for merge') });
  });

  it.each(Object.entries(BAD))('are reported with a suggestion: a plugin that %s', (name, [, said]) => {
    const complaint = complaintOf(run.stderr, `dure-${name}`);
    expect(complaint).toMatch(said);
    expect(complaint).toContain(`dure plugins uninstall dure-${name}`);
  });

  it('are reported even if they fail only when they are notified', async () => {
    const { stderr, code } = await vi.waitFor(
      async () => {
        const status = await project.dure(['status']);
        expect(status.stderr).toContain('dure-notify-spins');
        return status;
      },
      // Each command waits twenty seconds for the plugins that hang.
      { timeout: 300_000, interval: 1000 },
    );
    expect(code).toBe(0);
    for (const [name, [, said]] of Object.entries(LATER))
      expect(complaintOf(stderr, `dure-${name}`)).toMatch(said);
  });

  it('prevent neither the notification of the valid plugin nor the approval; the JSON of the approval lists them as warnings', async () => {
    const { code, json, stderr } = await project.dureJson(['approve']);
    expect({ code, stderr, json }).toMatchObject({
      code: 0,
      stderr: '',
      json: { ok: true, phase: 'completed' },
    });
    await expect
      .poll(() => readFile(join(project.parentFolder, 'notifications.log'), 'utf8').catch(() => ''))
      .toMatch(/Ready for review/);
    const warnings = json['warnings'] as { code: string; message: string; suggestions: string[] }[];
    for (const name of Object.keys(BAD)) {
      const [warning] = warnings.filter(({ message }) => message.includes(`dure-${name}:`));
      expect(warning).toMatchObject({
        code: 'E_PLUGIN',
        suggestions: [expect.stringContaining(`uninstall dure-${name}`)],
      });
    }
  });
});

it('`dure plugins check` reports a plugin that hangs, and exits with status 1', async () => {
  const other = await testProject();
  onTestFinished(() => other.remove());
  const check = async (name: string) => {
    const { code, stdout } = await other.spawnDure([
      'plugins',
      'check',
      join(project.parentFolder, name),
      '--json',
    ]);
    return { code, answer: JSON.parse(stdout) };
  };
  // In separate processes, so that they wait at the same time.
  const checked = await Promise.all(['dure-hangs', 'dure-spins'].map(check));
  for (const { code, answer } of checked) {
    expect({ code, answer }).toMatchObject({
      code: 1,
      answer: { ok: false, error: { code: 'E_PLUGIN_FAULTY', exit: 1 } },
    });
    expect(answer.problems.join('\n')).toMatch(/longer than/);
  }
});

/** The lines of standard error about one plugin, joined. */
function complaintOf(stderr: string, plugin: string): string {
  const found = stderr
    .split(/^Warning: /m)
    .map(text => text.replace(/\s+/g, ' '))
    .find(text => text.startsWith(`Plugin ${plugin}:`));
  expect(found, `${plugin} in ${stderr}`).toBeDefined();
  return found!;
}
