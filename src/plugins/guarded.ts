/**
 * Contributions as the rest of Dure sees them: the same objects, but what their functions do wrong is reported under the
 * plugin's name, and each has an ending that is safe. A verdict that cannot be read asks a person. A prompt or a start
 * that cannot be made is `E_PLUGIN`, for an agent without its instructions must not run and count as done.
 */
import { z } from 'zod';
import { dureError } from '../errors.ts';
import type { AgentRole, Backend, VerdictHandler } from '../index.ts';
import { atOnce, type Report, wordsOf } from './calls.ts';
import { outcomeShape, promptText, startedShape } from './checked.ts';

export type Accuse = (problem: string) => void;

export const accuser =
  (plugin: string, report: Report): Accuse =>
  problem =>
    report({ plugin, problem });

export function guardedVerdict(handler: VerdictHandler, accuse: Accuse): VerdictHandler {
  const { verdict } = handler;
  return {
    verdict,
    outcome(given, run) {
      try {
        return atOnce(outcomeShape, () => handler.outcome(given, run)) as ReturnType<
          VerdictHandler['outcome']
        >;
      } catch (error) {
        const problem = `verdict ${verdict}: ${wordsOf(error)}`;
        accuse(problem);
        return { next: 'ask', question: `What ${verdict} leads to is not known (${problem}).` };
      }
    },
  };
}

export function guardedRole(role: AgentRole, plugin: string, accuse: Accuse): AgentRole {
  const { name, phase, after, before, folder, model, timeout } = role;
  return {
    name,
    phase,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
    ...(folder !== undefined && { folder }),
    ...(model !== undefined && { model }),
    ...(timeout !== undefined && { timeout }),
    output: role.output.map(({ file, about, shape }) => ({
      file,
      about,
      ...(shape && { shape: guardedShape(shape, file, accuse) }),
    })),
    prompt: input => {
      try {
        return atOnce(promptText, () => role.prompt(input));
      } catch (error) {
        throw blamed(plugin, `prompt of role ${name}: ${wordsOf(error)}`, accuse, error);
      }
    },
  };
}

export function guardedBackend(backend: Backend, plugin: string, accuse: Accuse): Backend {
  const { name, stream, passEnv, passEnvWith, needsConsent } = backend;
  return {
    name,
    stream,
    ...(passEnv !== undefined && { passEnv }),
    ...(passEnvWith !== undefined && { passEnvWith }),
    ...(needsConsent !== undefined && { needsConsent }),
    ...(backend.isLoggedIn !== undefined && {
      isLoggedIn: env => {
        try {
          return atOnce(z.boolean(), () => backend.isLoggedIn!(env));
        } catch (error) {
          accuse(`isLoggedIn of backend ${name}: ${wordsOf(error)}`);
          return true;
        }
      },
    }),
    start: start => {
      try {
        return atOnce(startedShape, () => backend.start(start)) as ReturnType<Backend['start']>;
      } catch (error) {
        throw blamed(plugin, `start of backend ${name}: ${wordsOf(error)}`, accuse, error);
      }
    },
  };
}

function blamed(plugin: string, problem: string, accuse: Accuse, cause: unknown): Error {
  accuse(problem);
  return dureError('E_PLUGIN', { plugin, problem }, { cause });
}

/** Checks as the plugin's own shape does, and shows the same JSON Schema, but never throws. */
export function guardedShape(shape: z.ZodType, file: string, accuse: Accuse): z.ZodType {
  const checked = z.unknown().superRefine((value, ctx) => {
    try {
      const read = shape.safeParse(value);
      for (const { path, message } of read.success ? [] : read.error.issues)
        ctx.addIssue({ code: 'custom', path: [...path], message });
    } catch (error) {
      const message = `the shape of ${file} cannot check it: ${wordsOf(error)}`;
      accuse(message);
      ctx.addIssue({ code: 'custom', message });
    }
  });
  const schema = schemaOf(shape);
  return schema ? checked.meta(schema) : checked;
}

/** Null for what cannot be said in JSON Schema, such as a shape of an older zod: the file is checked all the same. */
function schemaOf(shape: z.ZodType): Record<string, unknown> | null {
  try {
    const { $schema, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
    return schema;
  } catch {
    return null;
  }
}
