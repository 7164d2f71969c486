/** Type-checks a plugin in TypeScript, as an external author with only the installed package would. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const modules = resolve(import.meta.dirname, '../../node_modules');

const PLUGIN = `import { definePlugin, type Config, type RunSummary } from 'dure';

export default async () =>
  definePlugin({
    name: 'told',
    channels: [
      {
        name: 'told',
        on: ['run.completed'],
        enabled: (config: Config, platform) => platform === 'linux' && config.global.web_port > 0,
        notify({ event, run, text }, { project, signal }) {
          const phase: RunSummary['phase'] = run.phase;
          if (event.type === 'run.completed') console.log(project, phase, text, event.merged, signal.aborted);
        },
      },
    ],
    verdicts: [{ verdict: 'LATER', when: 'it can wait', outcome: verdict => ({ next: 'ask', question: verdict.reason }) }],
    config: { safeParse: value => ({ success: true, data: value }) },
  });

// @ts-expect-error the outcome of a verdict must be one of the known ones
definePlugin({ name: 'wrong', verdicts: [{ verdict: 'LATER', when: 'it can wait', outcome: () => ({ next: 'nowhere' }) }] });
// @ts-expect-error there is no such event
definePlugin({ name: 'wrong', channels: [{ name: 'wrong', on: ['run.forgotten'], notify() {} }] });
// @ts-expect-error unknown keys of a state are errors
export const wrong = (run: RunSummary) => run.nothing;
`;

export function typeChecks({ dir, installed }) {
  mkdirSync(join(dir, 'node_modules/@types'), { recursive: true });
  symlinkSync(installed, join(dir, 'node_modules/dure'));
  // Anyone who writes programs for Node has the Node types installed.
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(modules, name), join(dir, 'node_modules', name));
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'told', type: 'module' }));
  writeFileSync(join(dir, 'plugin.ts'), PLUGIN);
  for (const module of ['nodenext', 'preserve']) {
    const compilerOptions = {
      module,
      target: 'es2023',
      strict: true,
      noEmit: true,
      types: ['node'],
      preserveSymlinks: true,
    };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['plugin.ts'] }));
    execFileSync(join(modules, '.bin/tsc'), ['-p', dir], { stdio: 'inherit' });
  }
}
