/** The cassette of a sample: a Builder that writes the given files, and other roles that approve. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cassette, Move } from '../../src/formats/cassette.ts';
import { analyses, cassette, flag, refines, rules } from '../e2e/agent-moves.ts';
import type { Files } from './sample.ts';

const VERIFIER = fileURLToPath(new URL('scripted-verifier.mjs', import.meta.url));

/** `script` is the file with the Verifier's script. */
export const played = (written: Files, script: string): Cassette =>
  cassette({
    refiner: [refines],
    builder: [
      [
        ...Object.entries(written).map(([path, text]): Move => {
          const place = join('builder/output', path);
          return text === null ? { remove: place } : { write: place, text };
        }),
        { write: 'builder/log.md', text: 'Wrote it.\n' },
        flag('builder/done.flag'),
      ],
    ],
    'verifier:generate': [
      [{ sh: `node '${VERIFIER}' '${script}' 2> verifier/error.log` }, flag('verifier/tests-ready.flag')],
    ],
    'verifier:analyse': [analyses],
    gatekeeper: [rules('PASS')],
  });
