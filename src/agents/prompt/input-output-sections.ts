/**
 * Builds the prompt sections on what an agent reads and writes, with absolute paths and with schemas. This module is
 * pure.
 */
import { AUTOMATED_STEP_FILES } from '../../core/policy/pipeline/automated-steps.ts';
import { isAgentStep, stepsBefore } from '../../core/policy/pipeline/look-up-steps.ts';
import { formatOf, verdictPath } from '../../core/run/effects/step-file-formats.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { type FileFormat, jsonSchema } from '../../formats/schema/define-file.ts';
import { verdictWith } from '../../formats/verdict.ts';
import type { OutputFile } from '../../index.ts';
import { bulletList, promptSection, quote } from './markdown.ts';
import type { PromptSources } from './prompt-sources-interface.ts';

type Read = readonly [path: string, about: string];

const WORKTREE = 'a git worktree of the project, with the changes so far';

/**
 * Lists the files that the step reads, as its role describes them. Omits missing results of Dure's own steps.
 */
function named({ files, state, step, role }: PromptSources): Read[] {
  const isThere = (file: string) => isRecorded(state, AUTOMATED_STEP_FILES[file]);
  const reads = role.steps.filter(one => one.name === step.name).flatMap(one => one.reads ?? []);
  return step.reads
    .filter(isThere)
    .map(file => [
      inRun(files, file),
      reads.find(read => read.file === file)?.about ?? 'from an earlier step',
    ]);
}

const isRecorded = ({ exam, checks }: PromptSources['state'], yields: string | undefined): boolean =>
  yields === 'exam' ? exam !== null : yields !== 'checks' || checks !== null;

/** Lists the briefing, the worktree, and everything that earlier steps wrote. */
function everything({ files, state, step }: PromptSources): Read[] {
  const before = stepsBefore(state.setup, step.name).filter(
    ({ yields }) => yields !== 'exam' || state.exam !== null,
  );
  const agents = before.filter(isAgentStep);
  const yields = before.map(one => one.yields);
  const logs = new Map(agents.map(({ role, folder }) => [role, files.logOf(folder)]));
  const known = [
    ...before.flatMap(one => one.outputs),
    ...[...logs.values()].map(log => relativeTo(files, log)),
  ];
  return [
    [files.raw, 'the briefing, as the person wrote it'],
    ...(yields.includes('tree') ? [[files.worktree, WORKTREE] as const] : []),
    ...before.flatMap(one =>
      one.outputs.map(
        output => [inRun(files, output), `from ${isAgentStep(one) ? one.role : 'Dure'}`] as const,
      ),
    ),
    ...agents.flatMap(one =>
      one.optional
        .filter(file => !known.includes(file))
        .map(file => [inRun(files, file), `from ${one.role}, if it exists`] as const),
    ),
    ...(yields.includes('proof') ? [[files.testLog, 'the full output of the test command'] as const] : []),
    ...(yields.includes('checks')
      ? [[files.checksLog, "the full output of the project's own checks"] as const]
      : []),
    ...[...logs].map(([role, log]) => [log, `the log of ${role}, if it exists`] as const),
  ];
}

export const inRun = (files: RunFiles, path: string) => `${files.dir}/${path}`;
const relativeTo = (files: RunFiles, path: string) => path.slice(files.dir.length + 1);

export const reading = (from: PromptSources): string =>
  promptSection(
    'What you read',
    `The folder of this run is \`${from.files.dir}\`. Relative paths in these instructions are relative to it, whatever your working directory is.`,
    bulletList(
      (from.step.reads.length > 0 ? named(from) : everything(from)).map(
        ([path, about]) => `\`${path}\`: ${about}`,
      ),
    ),
  );

/** Lists the step's output files. The one that ends the step comes last. */
function outputsOf({ role, step }: PromptSources): readonly OutputFile[] {
  const own = role.steps
    .filter(one => one.name === step.name)
    .flatMap(one => one.outputs)
    .filter(({ file }, i, all) => all.findIndex(one => one.file === file) === i)
    .filter(({ file }) => step.outputs.includes(file) || step.optional.includes(file));
  const all = [
    ...own,
    ...step.outputs
      .filter(file => !own.some(one => one.file === file))
      .map(file => ({ file, about: 'what Dure takes from this step' })),
  ];
  return [...all.filter(({ file }) => file !== step.flag), ...all.filter(({ file }) => file === step.flag)];
}

export function writing(from: PromptSources): string {
  const { files, step } = from;
  const outputs = outputsOf(from);
  const places = [
    ...(step.yields === 'tree' ? [`the worktree \`${files.worktree}\``] : []),
    `\`${inRun(files, step.folder)}/\``,
    `\`${files.crps}/\` for a question`,
  ];
  const readOnlyNote = files.raw.startsWith(`${inRun(files, step.folder)}/`)
    ? ` Do not change \`${files.raw}\`.`
    : '';
  return promptSection(
    'What you write',
    `You may write in ${places.join(', in ')}, and nowhere else: Dure checks this, rejects work that changed other files of the run, and shows the person which of their own files changed in the meantime.${readOnlyNote} Never commit, and do not change branches, tags, the index or the git configuration: Dure commits.`,
    bulletList(outputs.map(({ file, about }) => `\`${inRun(files, file)}\`: ${about}`)),
    ...outputs.flatMap(output => schemaOf(from, output) ?? []),
  );
}

function schemaOf({ step, verdicts }: PromptSources, { file, about, shape }: OutputFile): string[] | null {
  const format = shape
    ? { name: file, about, shape }
    : step.yields === 'verdict' && file === verdictPath(step) && verdicts.length > 0
      ? { ...verdictWith(verdicts), name: file }
      : formatOf(step, file);
  return format ? [`\`${file}\` must satisfy this JSON Schema. ${STRICT}`, schemaBlock(format)] : null;
}

export const STRICT = 'Strict JSON: no comments, no trailing commas, no duplicate keys.';

/** Renders a schema for a model: without its dialect and without long patterns that only spell out a named format. */
export function schemaBlock(format: FileFormat): string {
  const { $schema, title, ...schema } = jsonSchema(format);
  const shown = JSON.stringify(
    schema,
    (key, value) => (key === 'pattern' && String(value).length > 100 ? undefined : value),
    2,
  );
  return quote(shown, 'json');
}
