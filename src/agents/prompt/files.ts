/** What an agent reads, and what it writes: where, and in which shape. Pure. Every path is absolute. */
import { type FileFormat, jsonSchema } from '../../formats/define.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { clarificationsFile, resultsFile, testConfigFile } from '../../formats/tests.ts';
import { verdictFile } from '../../formats/verdict.ts';
import type { AgentRole } from '../../index.ts';
import { list, quote, section } from './markdown.ts';
import type { PromptSources } from './sources.ts';

type Reads = (files: RunFiles) => readonly (readonly [path: string, about: string])[];

const WORKTREE = "a git worktree of the project, with the Builder's work";
const READS: Record<string, Reads> = {
  refine: files => [
    [files.raw, 'the briefing, in the words of the person'],
    [files.worktree, 'the project as it stands'],
  ],
  build: files => [
    [files.refined, 'what is to be built'],
    [files.clarifications, 'what was understood, assumed or filled in'],
    [files.worktree, 'the project: your workplace'],
  ],
  generate: files => [
    [files.refined, 'what was to be built'],
    [files.worktree, WORKTREE],
  ],
  analyse: files => [
    [files.testOutput, 'what happened when Dure ran the tests'],
    [files.testLog, 'all that the test command printed'],
    [files.tests, 'the tests'],
    [files.refined, 'what was to be built'],
    [files.worktree, WORKTREE],
  ],
};

/** For the gate and for roles of plugins: whatever the steps before this one have left. */
const everything = ({ files, state, step }: PromptSources): ReturnType<Reads> => {
  const { pipeline } = state.setup;
  const before = pipeline.slice(
    0,
    pipeline.findIndex(({ name }) => name === step.name),
  );
  const logs = new Map(before.map(({ role, folder }) => [role, files.logOf(folder)]));
  const has = (name: string) => before.some(one => one.name === name);
  return [
    [files.raw, 'the briefing, in the words of the person'],
    ...(has('refine')
      ? [[files.clarifications, 'what was assumed or filled in, if anything was'] as const]
      : []),
    ...(has('build') ? [[files.worktree, WORKTREE] as const] : []),
    ...before.flatMap(one =>
      one.outputs.map(
        output => [inRun(files, output), `from ${one.kind === 'agent' ? one.role : 'Dure'}`] as const,
      ),
    ),
    ...(before.some(({ kind }) => kind === 'proof')
      ? [[files.testLog, 'all that the test command printed'] as const]
      : []),
    ...(before.some(({ kind }) => kind === 'checks')
      ? [[files.checksLog, "all that the project's own checks printed"] as const]
      : []),
    ...[...logs].map(([role, log]) => [log, `what ${role} noted, if it did`] as const),
  ];
};

/** What became of the project's own checks, for those who are to mend it or to say what it means. */
const checksOf = ({ files, state, step }: PromptSources): ReturnType<Reads> =>
  state.checks === null || !['build', 'analyse'].includes(step.name)
    ? []
    : [
        [files.checks, "what became of the project's own checks (tests, lint, types) when Dure ran them"],
        [files.checksLog, 'all that they printed'],
      ];

export const inRun = (files: RunFiles, path: string) => `${files.dir}/${path}`;

export const reading = (from: PromptSources): string =>
  section(
    'What you read',
    `The folder of this run is \`${from.files.dir}\`. Relative paths here mean this folder, whatever your working directory is.`,
    list(
      [...(READS[from.step.name]?.(from.files) ?? everything(from)), ...checksOf(from)].map(
        ([path, about]) => `\`${path}\`: ${about}`,
      ),
    ),
  );

const FORMATS: readonly FileFormat[] = [clarificationsFile, testConfigFile, resultsFile, verdictFile];

/** The role's files, without those that it leaves in another step, and what ends the step last of all. */
function outputsOf({ role, step, state }: PromptSources): AgentRole['output'] {
  const elsewhere = state.setup.pipeline
    .filter(other => other.role === step.role && other.name !== step.name)
    .flatMap(other => other.outputs);
  const own = role.output.filter(({ file }) => step.outputs.includes(file) || !elsewhere.includes(file));
  return [...own.filter(({ file }) => file !== step.flag), ...own.filter(({ file }) => file === step.flag)];
}

export function writing(from: PromptSources): string {
  const { files, step } = from;
  const outputs = outputsOf(from);
  const places = [
    ...(step.name === 'build' ? [`the worktree \`${files.worktree}\``] : []),
    `\`${inRun(files, step.folder)}/\``,
    `\`${files.crps}/\` for a question`,
  ];
  const spared = step.phase === 'refine' ? ` Leave \`${files.raw}\` as it is.` : '';
  return section(
    'What you write',
    `You may write in ${places.join(', in ')}, and nowhere else: Dure looks, refuses work that left traces elsewhere in the run, and shows the person what changed in their own files meanwhile.${spared} Never commit, and do not touch branches, tags, the index or the configuration of git: Dure commits.`,
    list(outputs.map(({ file, about }) => `\`${inRun(files, file)}\`: ${about}`)),
    ...outputs.flatMap(output => schemaOf(output) ?? []),
  );
}

function schemaOf({ file, about, shape }: AgentRole['output'][number]): string[] | null {
  const format = shape ? { name: file, about, shape } : FORMATS.find(({ name }) => name === file);
  return format ? [`\`${file}\` must satisfy this JSON Schema. ${STRICT}`, schemaBlock(format)] : null;
}

export const STRICT = 'Strict JSON: no comment, no trailing comma, no key twice.';

/** Without what tells a model nothing: the dialect, and patterns longer than the name of the format they spell out. */
export function schemaBlock(format: FileFormat): string {
  const { $schema, title, ...schema } = jsonSchema(format);
  const shown = JSON.stringify(
    schema,
    (key, value) => (key === 'pattern' && String(value).length > 100 ? undefined : value),
    2,
  );
  return quote(shown, 'json');
}
