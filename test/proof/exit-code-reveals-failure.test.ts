import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revealsFailure } from '../../src/proof/exit-code-reveals-failure.ts';
import fc from '../helpers/fast-check-seed.ts';

/** In each of these commands, `tests` runs the tests and fails. */
const TELLS = [
  'tests',
  'tests --only "a | b; c & d" -t \'x || true\'',
  'tests a\\;b \\| c',
  'tests > log 2>&1',
  'tests 2>&1 >/dev/null </dev/null',
  `CI=1 LEVEL="$HOME/x" tests \${FILES:-all} "$@" "^end$"`,
  'PYTHONPATH=$(pwd)/builder/output tests',
  'tests # quietly | tail',
  'tests;\n\n',
  'tests \\\n  --again',
  'cd . && tests',
  'cd . &&\n  tests && echo done',
  'tests && tests && exit 0',
  '(cd . && tests)',
  '( cd .; tests ) 2>&1',
  'cd .; tests',
  'export A=1\nmkdir -p made\necho ready\ntests',
  'X=1; tests',
  'cd . || exit 1; tests',
  'tests || exit 1; echo done',
  'true && tests || exit\necho done',
  'tests || exit $?; tests',
  'echo y | tests',
  'printf "%s\\n" one two | xargs tests',
  'find . -name made | tests',
  'set -e; tests; echo done',
  'set -eu\ntests\ntests\nrm -f made',
  'set -e; (tests; echo done); echo done',
  'set -o pipefail; tests | tail',
  'set -eo pipefail; tests | tail; echo done',
  'set -o errexit; tests; echo done',
  'set -e; true && (set -e; tests; echo done)',
  "sh -c 'tests'",
  'sh -c "cd . && tests"',
  "sh -ec 'tests; echo done'",
  "bash -o pipefail -c 'tests | tail'",
  "env A=1 bash -eo pipefail -c 'tests 2>&1 | tail; echo done'",
  'sh ./tests.sh',
];

const HIDES = [
  'tests | tail -20',
  'tests 2>&1 | cat | tail -20',
  'tests | cat && echo ok',
  'tests || true',
  'tests || :',
  'true && tests || echo failed',
  'tests || exit 0',
  'tests || exit 256',
  'tests; echo done',
  'tests\necho done',
  'tests; tests || exit 0',
  'cd . && tests; echo done',
  'tests & wait',
  'tests &',
  '! tests',
  '(tests; echo done)',
  '(tests | cat)',
  '( tests || true ) && echo ok',
  'set -e; tests && echo ok; echo done',
  'set -e; tests | cat; echo done',
  'set -e; set +e; tests; echo done',
  'set -e; set +o errexit; tests; echo done',
  'set -e; cd . && set +e; tests; echo done',
  '(set -e; tests; echo done) && echo ok',
  '(set -e; tests; echo done) || exit 1',
  'set -- -e; tests; echo done',
  'set -- -o pipefail; tests | cat',
  'echo "$(tests)"',
  'echo `tests`',
  'echo "`tests`"',
  "sh -c 'tests | cat'",
  'sh -c "tests; echo done"',
  "/bin/sh -c 'tests || true'",
  "env A=1 sh -c 'tests; true'",
  'echo x | xargs sh -c "tests || true"',
  "eval 'tests | cat'",
  "trap 'exit 0' EXIT; tests",
  "trap 'exit 0' EXIT && tests",
  'if tests; then echo ok; fi',
  'for t in a; do tests; echo done; done',
  '{ tests; echo done; }',
  'run() { tests; echo done; }; run',
  'find . -maxdepth 0 -exec tests \\;',
  'tests || cat <<END\nno\nEND',
  'echo $((1)) $(tests)',
  'A=\'tests; echo done\'; sh -c "$A"',
  'A=tests; $A; echo done',
  'tests;#\necho done',
  "echo '#'; tests; echo done",
  'tests\n2>&1',
  'tests; > log',
];

/** The shell would reject these, or their effect cannot be determined. */
const UNCLEAR = [
  '',
  ' \n# nothing',
  'tests "',
  "tests '",
  'tests )',
  '( tests',
  'tests &&',
  '| tests',
  'tests > ',
  'tests <<END\nEND',
  'tests <(ls)',
  'tests &> log',
  "tests $'a'",
  `tests \${A[0]}`,
  'sh --login -c "tests"',
  'exit 0; tests',
];

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-exit-code-'));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'tests'), `#!/bin/sh\ntouch '${folder}/ran'\nexit 1\n`, {
    mode: 0o755,
  });
  await writeFile(join(folder, 'tests.sh'), 'exit 1\n');
  env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
const exitCode = (command: string) =>
  spawnSync('sh', ['-c', command], { cwd: folder, env, stdio: 'ignore' }).status;

describe('an exit code of 0', () => {
  it.each(TELLS)('means success: %j', command => {
    expect(revealsFailure(command)).toBe(true);
    expect(exitCode(command), 'what sh says when the tests fail').not.toBe(0);
  });

  it.each(HIDES)('means nothing: %j', command => {
    expect(revealsFailure(command)).toBe(false);
    expect(exitCode(command), 'what sh says when the tests fail').toBe(0);
  });

  it.each(UNCLEAR)('means nothing if Dure does not understand the command: %j', command => {
    expect(revealsFailure(command)).toBe(false);
  });

  it('is never trusted for a command that exits with 0 in sh although its tests failed', () => {
    const part = fc.constantFrom(
      ...['tests', 'true', 'echo x', 'cat', 'cd .', 'set -e', 'set +e', 'exit 1', 'exit', 'X=1', '#', '!'],
      ...[' ', '&&', '||', '|', ';', '\n', '(', ')', "'", '"', '\\', '$', '>f', '2>&1', '`', '$(', 'sh -c '],
    );
    const commands = fc.array(part, { minLength: 1, maxLength: 9 }).map(parts => parts.join(' '));
    fc.assert(
      fc.property(commands, command => {
        fc.pre(revealsFailure(command));
        rmSync(join(folder, 'ran'), { force: true });
        const code = exitCode(command);
        // Commands that run no tests are not considered.
        if (existsSync(join(folder, 'ran'))) expect(code).not.toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
