/** What a plugin may give and what its functions may answer, checked at run time: types bind nobody who writes JavaScript. */
import { z } from 'zod';
import { role as roleName } from '../formats/define.ts';
import { runEvent } from '../formats/events.ts';

const callable = z.custom<(...args: never[]) => unknown>(v => typeof v === 'function', 'expected a function');
/** Any schema with `safeParse` will do, also one of another copy of zod. */
const schema = z.custom<{ safeParse(value: unknown): unknown }>(
  v => v !== null && typeof v === 'object' && typeof (v as { safeParse?: unknown }).safeParse === 'function',
  'expected a zod schema',
);
const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected a name such as notify-file');
const eventType = z.enum(runEvent.options.map(option => option.shape.type.value));

export const pluginShape = z.looseObject({
  name,
  channels: z.array(z.unknown()).optional(),
  roles: z.array(z.unknown()).optional(),
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

const outputFile = z.looseObject({
  file: z
    .string()
    .regex(
      /^[a-z][\w-]*(\/[\w][\w.-]*)+$/,
      'expected a path in the folder of the role, such as security/report.md',
    ),
  about: z.string().min(1),
  shape: schema.optional(),
});

export const roleShape = z
  .looseObject({
    name: roleName,
    phase: roleName,
    after: roleName.optional(),
    before: roleName.optional(),
    folder: roleName.optional(),
    model: z.string().min(1).optional(),
    timeout: z.int().min(100).max(86_400_000).optional(),
    output: z.array(outputFile).min(1),
    prompt: callable,
  })
  .superRefine((role, ctx) => {
    const folder = role.folder ?? role.name;
    for (const [i, { file }] of role.output.entries()) {
      const problem = !file.startsWith(`${folder}/`)
        ? `expected a path in ${folder}/, the only folder the role may write in`
        : file.endsWith('.flag')
          ? 'flags are written by rules of their own'
          : null;
      if (problem) ctx.addIssue({ code: 'custom', path: ['output', i, 'file'], message: problem });
    }
  });

export const verdictShape = z.looseObject({
  verdict: z.string().regex(/^[A-Z][A-Z_]{0,39}$/, 'expected a word such as NEEDS_HUMAN'),
  outcome: callable,
});

export const backendShape = z.looseObject({
  name,
  stream: z.enum(['claude', 'text']),
  passEnv: z.array(z.string().min(1)).optional(),
  passEnvWith: z.record(z.string(), z.array(z.string().min(1))).optional(),
  isLoggedIn: callable.optional(),
  needsConsent: z.boolean().optional(),
  start: callable,
});

export const outcomeShape = z.discriminatedUnion('next', [
  z.strictObject({ next: z.literal('ready') }),
  z.strictObject({ next: z.literal('fix') }),
  z.strictObject({ next: z.literal('build') }),
  z.strictObject({ next: z.literal('ask'), question: z.string().optional() }),
  z.strictObject({ next: z.literal('fail'), why: z.string() }),
]);

export const startedShape = z.strictObject({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).optional(),
  session: z.string().optional(),
});

export const promptText = z
  .string()
  .refine(text => text.trim() !== '', 'expected a text, received an empty one');
