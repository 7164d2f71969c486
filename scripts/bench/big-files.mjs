/**
 * Measures a whole rehearsed run whose Builder writes big files or many files: seconds until the pack exists, and the
 * disk space that the run uses. `BENCH_SCALE=0.01` makes the files smaller.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flag, refines } from './support/cassette-moves.mjs';
import { createProject } from './support/scratch-project.mjs';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const bytes = Math.round(SCALE * 500e6);
const files = Math.round(SCALE * 100_000);
const MANY = `const fs = require('fs'); for (let n = 0; n < ${files}; n++) { if (n % 1000 === 0) fs.mkdirSync('d' + n / 1000); fs.writeFileSync('d' + Math.floor(n / 1000) + '/' + n + '.txt', 'file ' + n); }`;

const VARIANTS = {
  [`${bytes / 1e6} MB of random data`]: `head -c ${bytes} /dev/urandom > big.bin`,
  [`a sparse file of ${(4 * bytes) / 1e9} GB`]: `truncate -s ${4 * bytes} sparse.bin`,
  [`${files} files`]: `node -e "${MANY}"`,
};

const cassette = command => ({
  title: 'big files',
  parts: {
    refiner: [refines],
    builder: [[{ sh: `cd builder/output && ${command}` }, flag('builder/log.md'), flag('builder/done.flag')]],
    'verifier:generate': [
      [
        { write: 'verifier/tests/ok.sh', text: 'echo TAP version 13; echo 1..1; echo ok 1 - fine\n' },
        {
          json: 'verifier/test-config.json',
          value: {
            test_framework: 'custom',
            test_command: 'sh verifier/tests/ok.sh',
            test_directory: 'verifier/tests',
            timeout_ms: 30_000,
            coverage: false,
          },
        },
        flag('verifier/tests-ready.flag'),
      ],
    ],
    'verifier:analyse': [
      [
        { json: 'verifier/results.json', value: { summary: 'read' } },
        flag('verifier/log.md'),
        flag('verifier/done.flag'),
      ],
    ],
    gatekeeper: [
      [
        { write: 'gatekeeper/review.md', text: '# Review\n' },
        flag('gatekeeper/log.md'),
        { json: 'gatekeeper/verdict.json', value: { verdict: 'PASS', reason: 'fine' } },
      ],
    ],
  },
});

for (const [name, command] of Object.entries(VARIANTS)) {
  const project = createProject();
  try {
    await project.dure(['init', '--yes', '--json', '--backend', 'rehearsal']);
    const tape = join(project.root, '.dure/rehearsal.cassette.json');
    writeFileSync(tape, JSON.stringify(cassette(command)));
    const args = ['start', 'Write it.', '--launcher', 'process', '--yes', '--no-browser', '--json'];
    const { run_id } = JSON.parse(await project.dure(args));
    const folder = join(project.root, '.dure/runs', run_id);
    const log = readFileSync(join(folder, 'events.log'), 'utf8');
    const at = pattern => Date.parse(log.match(new RegExp(`^(\\S+) \\[\\w+\\] ${pattern}`, 'm'))[1]);
    const took = ((at('mrp.created') - at('run.started')) / 1000).toFixed(1);
    const built = (Number(log.match(/agent\.completed agent=builder .*duration_ms=(\d+)/)[1]) / 1000).toFixed(
      1,
    );
    const used = Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1e3;
    console.log(
      `${name}: ${took} s until the pack, ${built} s of them built and sealed; ${used.toFixed(0)} MB of disk`,
    );
  } finally {
    await project.remove();
  }
}
