/**
 * Answers that apply to future runs, under `.dure/decisions/`. A run uses those that existed when it started.
 * A file that was added or changed later may come from an agent; the user is shown each one before the next
 * run (seen-commands-and-used-projects.ts).
 */
import { join } from 'node:path';
import { type Crp, type Decision, decisionFile, type Vcr } from '../../../formats/crp-and-vcr.ts';
import { namesIn } from '../../../formats/file-system/path-status.ts';
import type { ProjectFiles } from '../../../formats/layout.ts';
import { load, readValue, replaceJson } from '../../../formats/read-and-write-files.ts';
import { shortHash } from '../../../formats/text/sha256.ts';

/** Returns the hashes of the current decisions, keyed by file name. */
export async function standingDecisions({ decisions }: ProjectFiles): Promise<Record<string, string>> {
  const names = await namesIn(decisions);
  const read = await Promise.all(
    names
      .filter(name => name.endsWith('.json'))
      .sort()
      .map(async file => [file, await load(decisionFile, join(decisions, file))] as const),
  );
  return Object.fromEntries(
    read.flatMap(([file, decision]) => (decision ? [[file, identity(decision)]] : [])),
  );
}

/** Reads the decisions in `known` that have not changed. */
export async function readDecisions(
  { decisions }: ProjectFiles,
  known: Readonly<Record<string, string>>,
): Promise<Decision[]> {
  const read = await Promise.all(
    Object.entries(known).map(async ([file, was]) => {
      const decision = await readValue(decisionFile, join(decisions, file));
      return decision && identity(decision) === was ? [decision] : [];
    }),
  );
  return read.flat();
}

const identity = (decision: Decision): string => shortHash(JSON.stringify(decision));

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
