/**
 * Schemas against which contributions and the results of their functions are checked at run time, because plugins
 * in JavaScript have no types.
 */
import { z } from 'zod';
import { runEvent } from '../formats/events/events.ts';
import { role as roleName, shortName, timeLimitMs } from '../formats/schema/common-fields.ts';

const callable = z.custom<(...args: never[]) => unknown>(v => typeof v === 'function', 'expected a function');
/** Any schema with `safeParse`, including one from another copy of zod. */
const schema = z.custom<{ safeParse(value: unknown): unknown }>(
  v => v !== null && typeof v === 'object' && typeof (v as { safeParse?: unknown }).safeParse === 'function',
  'expected a zod schema',
);
const name = shortName('expected a name such as notify-file');
const eventType = z.enum(runEvent.options.map(option => option.shape.type.value));

export const pluginShape = z.looseObject({
  name,
  channels: z.array(z.unknown()).optional(),
  roles: z.array(z.unknown()).optional(),
  pipelines: z.array(z.unknown()).optional(),
  verdicts: z.array(z.unknown()).optional(),
  backends: z.array(z.unknown()).optional(),
  config: schema.optional(),
});
export const PLUGIN_KEYS = Object.keys(pluginShape.shape);

export const channelShape = z.looseObject({
  name,
  on: z.array(eventType).optional(),
  enabled: callable.optional(),
  notify: callable,
});

const path = z
  .string()
  .regex(
    /^[a-z][\w-]*(\/[\w][\w.-]*)+$/,
    'expected a path in the folder of the role, such as security/report.md',
  );
const outputFile = z.looseObject({
  file: path,
  about: z.string().min(1),
  shape: schema.optional(),
  optional: z.boolean().optional(),
});
const setting = z.strictObject({ setting: z.string().min(1) });

const roleStep = z.looseObject({
  name: roleName,
  phase: roleName.optional(),
  yields: z.enum(['files', 'tree', 'tests', 'verdict']).optional(),
  reads: z.array(z.looseObject({ file: path, about: z.string().min(1) })).optional(),
  outputs: z.array(outputFile),
  flag: path.optional(),
  asks: z.union([z.int().nonnegative(), setting]).optional(),
  clears: z.array(path).optional(),
  after: roleName.optional(),
  before: roleName.optional(),
  when: z.strictObject({ setting: z.string().min(1), is: z.boolean() }).optional(),
});

export const roleShape = z
  .looseObject({
    name: roleName,
    replaces: roleName.optional(),
    folder: roleName.optional(),
    model: z.string().min(1).optional(),
    timeout: timeLimitMs.optional(),
    steps: z.array(roleStep).min(1),
    prompt: callable,
  })
  .superRefine((role, ctx) => {
    const folder = `${role.folder ?? role.name}/`;
    for (const [i, step] of role.steps.entries()) {
      const refuse = (path: PropertyKey[], message: string) =>
        ctx.addIssue({ code: 'custom', path: ['steps', i, ...path], message });
      if (step.outputs.length === 0 && (step.yields ?? 'files') === 'files')
        refuse(['outputs'], 'expected a file: a step that yields nothing else must write one');
      for (const [j, { file }] of step.outputs.entries())
        if (!file.startsWith(folder))
          refuse(
            ['outputs', j, 'file'],
            `expected a path in ${folder}, the only folder the role may write in`,
          );
        else if (file.endsWith('.flag')) refuse(['outputs', j, 'file'], 'flags are not outputs');
      for (const file of [...(step.clears ?? []), ...(step.flag ? [step.flag] : [])])
        if (!file.startsWith(folder)) refuse(['clears'], `expected paths in ${folder}`);
    }
  });

const stepName = shortName('expected a name such as build');
export const pipelineShape = z.looseObject({
  name: stepName,
  about: z.string().min(1),
  steps: z.array(stepName).min(1),
});

export const verdictShape = z.looseObject({
  verdict: z.string().regex(/^[A-Z][A-Z_]{0,39}$/, 'expected a word such as NEEDS_HUMAN'),
  when: z.string().min(1),
  outcome: callable,
});

export const backendShape = z.looseObject({
  name,
  stream: z.enum(['claude', 'text']),
  passEnv: z.array(z.string().min(1)).optional(),
  passEnvWith: z.record(z.string(), z.array(z.string().min(1))).optional(),
  isLoggedIn: callable.optional(),
  probe: callable.optional(),
  needsConsent: z.boolean().optional(),
  start: callable,
});

export const outcomeShape = z.discriminatedUnion('next', [
  z.strictObject({ next: z.literal('ready') }),
  z.strictObject({
    next: z.literal('rework'),
    minor: z.boolean().optional(),
    step: z.string().optional(),
  }),
  z.strictObject({ next: z.literal('ask'), question: z.string().optional() }),
  z.strictObject({ next: z.literal('fail'), why: z.string() }),
]);

export const probeShape = z.strictObject({
  fault: z.enum(['missing', 'login', 'unreachable', 'broken']).optional(),
  seen: z.string().max(2000),
  fix: z.string().max(2000).optional(),
});

const homePath = z
  .string()
  .refine(
    path => path !== '' && !path.startsWith('/') && !path.split('/').includes('..'),
    "expected a path in the agent's home",
  );

export const startedShape = z.strictObject({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).optional(),
  session: z.string().optional(),
  sandbox: z
    .strictObject({
      readable: z.array(z.string().startsWith('/')).optional(),
      login: z.array(z.strictObject({ from: z.string().startsWith('/'), to: homePath })).optional(),
      files: z.record(homePath, z.string()).optional(),
      hosts: z.array(z.string()).optional(),
    })
    .optional(),
});

export const promptText = z.string().refine(text => text.trim() !== '', 'expected a non-empty string');
