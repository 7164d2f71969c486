/**
 * Imports a run of another tool, from a folder laid out like a run folder. The original is only read; the run appears
 * atomically, because it is built in a temporary folder and renamed; and files that Dure cannot read are kept in
 * `predecessor/` and listed.
 */
import { cp, lstat, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { type Crp, crpFile, type Vcr, vcrFile } from '../../../formats/crp-and-vcr.ts';
import { namesIn } from '../../../formats/file-system/path-status.ts';
import { removeFolder } from '../../../formats/file-system/remove-folder.ts';
import type { Origin } from '../../../formats/imported-run-origin.ts';
import { type ProjectFiles, RUN_ID, type RunFiles, runFiles, timeInRunId } from '../../../formats/layout.ts';
import { readFormat, readText, replace, replaceJson } from '../../../formats/read-and-write-files.ts';
import { unreadableReason } from '../../../formats/read-untrusted-files.ts';
import type { FileFormat } from '../../../formats/schema/define-file.ts';
import { verdictFile } from '../../../formats/verdict.ts';
import type { AddedRun, ForeignRun } from '../../../index.ts';
import { newEnvironmentFolder } from '../launch/environment-variable-store.ts';
import { keepDecision } from '../requests/standing-decisions.ts';
import { nthIdOf, openJournal, runIds } from '../run-store.ts';
import { newRunKey } from './hmac-key.ts';

export async function importRun(project: ProjectFiles, run: ForeignRun, now: Date): Promise<AddedRun> {
  const original = join(project.root, run.from);
  const source = runFiles(original);
  const skipped = [...run.skipped];
  const id = await freeId(project, basename(run.from), run.started);
  const staging = runFiles(join(project.runs, `.bringing-${id}`));
  await removeFolder(staging.dir);
  await mkdir(staging.dir, { recursive: true, mode: 0o700 });

  await copyAll(original, staging.predecessor, skipped);
  await importTexts(source, staging, skipped);
  const crps = await importFiles(source.crps, staging.crps, crpFile, skipped);
  const vcrs = await importFiles(source.vcrs, staging.vcrs, vcrFile, skipped);
  const verdict = await importFile(source.verdict, staging.verdict, verdictFile, skipped);
  const origin: Origin = { from: run.from, phase: run.phase, brought_at: now.toISOString(), skipped };
  await replaceJson(staging.origin, origin);
  const journal = await openJournal(staging);
  const start = await startOf(project, id, staging);
  for (const event of run.events(id, verdict))
    await journal.append(event.type === 'run.started' ? { ...event, ...start(event.base) } : event);
  const decisions = await keepDecisions(project, id, crps, vcrs);
  await rename(staging.dir, project.run(id));
  return { id, decisions, skipped };
}

/** Fills in the fields of `run.started` that other tools do not record. No launch ever uses these values. */
async function startOf(project: ProjectFiles, id: string, staging: RunFiles) {
  const briefing = (await readText(staging.raw)) ?? '';
  const environment = await newEnvironmentFolder(runFiles(project.run(id)));
  const key = await newRunKey(project.root);
  return (base: string) => ({
    briefing,
    options: {
      base,
      base_name: 'HEAD',
      branch: null,
      backend: null,
      cassette: null,
      budget_usd: null,
      environment,
      launcher: 'process' as const,
      take_recommendations: false,
      shadow: false,
    },
    repository: {},
    key: key.id,
  });
}

/** Returns the name if it is a run id, otherwise an id made from the start time. If the id is taken, adds a number. */
async function freeId(project: ProjectFiles, name: string, began: number): Promise<string> {
  const taken = new Set(await runIds(project));
  const isId = RUN_ID.test(name);
  if (isId && !taken.has(name)) return name;
  const first = isId
    ? name.replace(/^(run-\d{8}-\d{6}).*$/, '$1')
    : `run-${timeInRunId(new Date(began).toISOString())}`;
  for (let n = 1; ; n += 1) {
    const id = nthIdOf(first, n);
    if (!taken.has(id)) return id;
  }
}

/** Copies everything except special files and `node_modules`. */
async function copyAll(from: string, to: string, skipped: string[]): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    async filter(path) {
      const found = await lstat(path);
      const isKept = found.isFile() || found.isSymbolicLink() || found.isDirectory();
      if (isKept && basename(path) !== 'node_modules') return true;
      skipped.push(`${path.slice(from.length + 1)}: not copied`);
      return false;
    },
  });
}

/** Imports the text files that are written for people and have no schema. */
async function importTexts(old: RunFiles, into: RunFiles, skipped: string[]): Promise<void> {
  const texts = (files: RunFiles) => [
    files.raw,
    files.refined,
    files.review,
    files.summary,
    ...[files.briefing, files.builder, files.verifier, files.gatekeeper].map(files.logOf),
  ];
  const places = texts(into);
  for (const [i, file] of texts(old).entries()) {
    const text = await readText(file).catch(error => {
      skipped.push(`${file.slice(old.dir.length + 1)}: ${unreadableReason(error)}`);
      return null;
    });
    if (text !== null) await replace(places[i]!, text);
  }
}

async function importFile<S extends z.ZodType>(
  file: string,
  to: string,
  format: FileFormat<S>,
  skipped: string[],
): Promise<z.infer<S> | null> {
  const read = await readFormat(format, file);
  if (read.is === 'invalid') skipped.push(`${basename(file)}: ${read.problem}`);
  if (read.is !== 'value') return null;
  await replace(to, read.text);
  return read.value;
}

async function importFiles<S extends z.ZodType>(
  from: string,
  to: string,
  format: FileFormat<S>,
  skipped: string[],
): Promise<z.infer<S>[]> {
  const names = await namesIn(from);
  const taken: z.infer<S>[] = [];
  for (const name of names.filter(one => one.endsWith('.json')).sort()) {
    const value = await importFile(join(from, name), join(to, name), format, skipped);
    if (value !== null) taken.push(value);
  }
  return taken;
}

async function keepDecisions(
  project: ProjectFiles,
  id: string,
  crps: readonly Crp[],
  vcrs: readonly Vcr[],
): Promise<number> {
  let kept = 0;
  for (const vcr of vcrs) {
    const crp = crps.find(one => one.crp_id === vcr.crp_id);
    if (!vcr.applies_to_future || !crp) continue;
    await keepDecision(project, id, crp, vcr);
    kept += 1;
  }
  return kept;
}
