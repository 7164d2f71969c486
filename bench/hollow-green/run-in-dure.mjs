/** Runs scenarios through the built program: rehearsed agents, real tests, real proof. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flag } from '../../scripts/bench/support/cassette-moves.mjs';
import { createProject } from '../../scripts/bench/support/scratch-project.mjs';

const { HOLLOW_GREEN_BUDGET_S = '60' } = process.env;

/** The agents of a scenario: each reports that all is well, however often it is started. */
const cassette = (project, { code = project.good, tests }) => ({
  title: 'HollowGreen',
  parts: {
    refiner: [
      [
        {
          write: 'briefing/refined.md',
          text: `# ${project.briefing}\n\n## Acceptance criteria\n${project.criteria}\n`,
        },
        { json: 'briefing/clarifications.json', value: [] },
        { write: 'briefing/log.md', text: 'Nothing was unclear.\n' },
        flag('briefing/done.flag'),
      ],
    ],
    builder: [
      [
        { write: `builder/output/${project.subject}`, text: code },
        { write: 'builder/log.md', text: 'All criteria are met.\n' },
        flag('builder/done.flag'),
      ],
    ],
    'verifier:generate': [
      [
        ...Object.entries(tests).map(([path, text]) => ({ write: `verifier/tests/${path}`, text })),
        {
          json: 'verifier/test-config.json',
          value: {
            test_framework: 'custom',
            test_command: project.command,
            test_directory: '.',
            timeout_ms: 60_000,
            coverage: false,
            created_at: '{{now}}',
          },
        },
        flag('verifier/tests-ready.flag'),
      ],
    ],
    'verifier:analyse': [
      [
        { json: 'verifier/results.json', value: { summary: 'All tests pass.' } },
        { write: 'verifier/log.md', text: 'All tests pass.\n' },
        flag('verifier/done.flag'),
      ],
    ],
    gatekeeper: [
      [
        { write: 'gatekeeper/review.md', text: '# Review\n\nEverything is tested.\n' },
        { write: 'gatekeeper/log.md', text: 'Read it.\n' },
        { json: 'gatekeeper/verdict.json', value: { verdict: 'PASS', reason: 'All criteria are met.' } },
        flag('gatekeeper/done.flag'),
      ],
    ],
  },
});

/** A scratch project in which the scenarios of `project` run, one after another. */
export async function openProject(project) {
  const scratch = createProject({ files: project.files });
  await scratch.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
  const file = join(scratch.root, '.dure/config/global.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const proof = { ...config.proof, budget_s: Number(HOLLOW_GREEN_BUDGET_S) };
  writeFileSync(file, JSON.stringify({ ...config, max_iterations: 1, checks: [], proof }));

  return {
    async run(scenario) {
      const cassetteFile = join(scratch.root, '..', 'cassette.json');
      writeFileSync(cassetteFile, JSON.stringify(cassette(project, scenario)));
      const args = [
        'start',
        project.briefing,
        '--cassette',
        cassetteFile,
        '--launcher',
        'process',
        '--accept-commands',
      ];
      const started = Date.now();
      const { run_id, phase } = JSON.parse(
        await scratch.dure([...args, '--no-browser', '--json'], [0, 1, 3, 5]),
      );
      const seconds = (Date.now() - started) / 1000;
      const folder = join(scratch.root, '.dure/runs', run_id);
      const read = path =>
        existsSync(join(folder, path)) ? JSON.parse(readFileSync(join(folder, path), 'utf8')) : null;
      const outcome = {
        phase,
        seconds,
        criteria: read('mrp/criteria.json'),
        suite_ms: read('verifier/test-output.json')?.duration_ms,
        exam_ms: read('verifier/exam.json')?.duration_ms,
        lines:
          phase === 'ready_for_merge'
            ? JSON.parse(await scratch.dure(['review', run_id, '--json'])).lines
            : null,
      };
      if (phase === 'ready_for_merge' || phase === 'waiting_human')
        await scratch.dure(['stop', run_id, '--json'], [0, 5]);
      return outcome;
    },
    close: () => scratch.remove(),
  };
}
