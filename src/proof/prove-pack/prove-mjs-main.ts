/**
 * `prove.mjs` of a pack: `dure prove` as one file that needs only node and git. It comes with the pack, so its
 * output alone is no reason to trust the pack; an installed `dure prove` does the same without this file.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resultOf } from '../../core/policy/verdict/prove-pack-outcome.ts';
import { DureError, EXIT } from '../../errors.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { SignalReceived, untilSignal } from '../../terminal/signals.ts';
import { proveView } from '../../terminal/views/prove-view.ts';
import { enRecordedDecisions } from '../../words/cli/en-decision-proofs.ts';
import { enProve } from '../../words/cli/en-prove.ts';
import { findRepository } from '../../workspace/git/open-repository.ts';
import { MOST_ROUNDS } from '../exam/test-round-count.ts';
import { findSource } from './find-pack.ts';
import { prove } from './prove.ts';

const USAGE = `Usage: node prove.mjs [PACK] [--json] [--sandbox auto|none] [--quick | --rounds N] [--keep] [--verbose]
PACK: a bundle, the folder of a pack, or a commit. Default: FETCH_HEAD.
`;
const SANDBOX = ['auto', 'none'] as const;

/** The command line. Throws a `TypeError` for anything that USAGE does not allow. */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      sandbox: { type: 'string', default: 'auto' },
      rounds: { type: 'string', default: '0' },
    },
  });
  const sandbox = SANDBOX.find(each => each === values.sandbox);
  if (sandbox === undefined)
    throw new TypeError(`--sandbox must be ${SANDBOX.join(' or ')}, not '${values.sandbox}'`);
  const rounds = /^\d{1,2}$/.test(values.rounds) ? Number(values.rounds) : Number.NaN;
  if (!(rounds <= MOST_ROUNDS))
    throw new TypeError(`--rounds must be a number from 0 to ${MOST_ROUNDS}, not '${values.rounds}'`);
  if (values.quick && rounds > 0) throw new TypeError('--quick and --rounds cannot be used together');
  const [pack = 'FETCH_HEAD', ...more] = positionals;
  if (more.length > 0)
    throw new TypeError(`only one PACK can be proved at a time; remove '${more.join(' ')}'`);
  return { ...values, sandbox, rounds, pack };
}

async function main(): Promise<number> {
  const { help, json, pack, verbose, ...options } = readArguments();
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const prover = fileURLToPath(import.meta.url);
  const digest = sha256(readFileSync(prover));
  process.stderr.write(`This program came with the pack (sha256 ${digest}). \`dure prove\` does the same.\n`);
  const clone = await findRepository(process.cwd());
  const proved = await untilSignal(async signal =>
    prove({
      clone,
      ...(await findSource(clone, pack)),
      env: process.env,
      signal,
      only: [],
      trusted: null,
      prover,
      budget_s: 300,
      ...options,
      ...(verbose && { echo: chunk => void process.stderr.write(chunk) }),
    }),
  );
  const result = resultOf([...proved.criteria, ...proved.checks], []);
  const exit = { confirmed: 0, refuted: EXIT.failed, open: EXIT.waiting }[result];
  const text = json
    ? JSON.stringify({ exit, ...proved }, null, 2)
    : proveView(proved, { prove: enProve, decisions: enRecordedDecisions });
  process.stdout.write(`${text}\n`);
  return exit;
}

process.exitCode = await main().catch((error: unknown) => {
  if (error instanceof SignalReceived) return EXIT.interrupted;
  if (!(error instanceof DureError)) {
    process.stderr.write(
      `${error instanceof TypeError ? `${error.message}\n${USAGE}` : (error as Error).stack}\n`,
    );
    return error instanceof TypeError ? EXIT.usage : EXIT.refused;
  }
  process.stderr.write(`${error.message}\n${error.suggestions.map(each => `- ${each}\n`).join('')}`);
  return error.exit === EXIT.failed ? EXIT.refused : error.exit;
});
