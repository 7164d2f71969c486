/** Reads and verifies the pack that a command shows. */

import { relative } from 'node:path';
import { expectPackUnchanged } from '../../core/run/pack/pack-integrity.ts';
import { dureError } from '../../errors.ts';
import { evidenceFile, PACK_LIMIT } from '../../formats/evidence.ts';
import { criteriaReportFile } from '../../formats/exam/criteria-report.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import type { RunState } from '../../formats/state.ts';
import type { ShownPack } from '../views/pack-on-one-screen.ts';

/** `number`: the number of an earlier pack. Throws `E_NOT_READY` or `E_PACK_CHANGED`. */
export async function readShownPack(files: RunFiles, state: RunState, number?: number): Promise<ShownPack> {
  if (state.mrp) await expectPackUnchanged(files, state, number);
  const evidence = await load(evidenceFile, files.evidence, PACK_LIMIT);
  const criteria = await load(criteriaReportFile, files.criteria, PACK_LIMIT);
  if (!evidence || !criteria || !state.mrp)
    throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
  const near = relative('', files.summary);
  return {
    state,
    evidence,
    criteria,
    summary: near.startsWith('..') ? files.summary : near,
  };
}
