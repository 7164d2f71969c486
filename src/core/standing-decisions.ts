/** Answers that hold for later runs, under `.dure/decisions/`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Crp, type Decision, decisionFile, type Vcr } from '../formats/consultation.ts';
import { load, replaceJson } from '../formats/file.ts';
import type { ProjectFiles } from '../formats/layout.ts';

export async function readDecisions(project: ProjectFiles): Promise<Decision[]> {
  const names = await readdir(project.decisions).catch(() => [] as string[]);
  const read = await Promise.all(
    names
      .filter(name => name.endsWith('.json'))
      .sort()
      .map(name => load(decisionFile, join(project.decisions, name))),
  );
  return read.filter(decision => decision !== null);
}

export async function keepDecision(project: ProjectFiles, runId: string, crp: Crp, vcr: Vcr): Promise<void> {
  const option = crp.options.find(o => o.id === vcr.decision);
  const decision: Decision = {
    question: crp.question,
    decision: option ? `${option.id}: ${option.label}` : vcr.decision,
    rationale: vcr.rationale,
    decided_at: vcr.created_at,
    run_id: runId,
    crp_id: crp.crp_id,
  };
  await replaceJson(join(project.decisions, `${runId}.${crp.crp_id}.json`), decision);
}
