/**
 * Wraps contributions so that failures of their functions are reported under the plugin's name and have a safe
 * fallback. An unreadable verdict becomes a question to the user. A prompt or command that cannot be built throws
 * `E_PLUGIN`, because an agent without instructions must not run and count as done.
 */
import { z } from 'zod';
import { dureError } from '../errors.ts';
import type {
  AgentRole,
  Backend,
  Outcome,
  OutputFile,
  ProbeResult,
  Started,
  VerdictHandler,
} from '../index.ts';
import { checkedAnswer, errorText, parseWith, type Report } from '../process/call-plugin-code.ts';
import { outcomeShape, probeShape, promptText, startedShape } from './contribution-schemas.ts';
import { jsonSchemaOf } from './plugin-as-message.ts';

export type ReportFault = (problem: string) => void;

export const faultReporter =
  (plugin: string, report: Report): ReportFault =>
  problem =>
    report({ plugin, problem });

export function guardedVerdict(handler: VerdictHandler, reportFault: ReportFault): VerdictHandler {
  const { verdict, when } = handler;
  return {
    verdict,
    when,
    async outcome(given, run) {
      try {
        return (await checkedAnswer(outcomeShape, () => handler.outcome(given, run))) as Outcome;
      } catch (error) {
        const problem = `verdict ${verdict}: ${errorText(error)}`;
        reportFault(problem);
        return { next: 'ask', question: `The outcome of ${verdict} is unknown (${problem}).` };
      }
    },
  };
}

export function guardedRole(role: AgentRole, plugin: string, reportFault: ReportFault): AgentRole {
  const guardedOutput = ({ shape, ...output }: OutputFile): OutputFile => ({
    ...output,
    ...(shape && { shape: guardedShape(shape, output.file, reportFault) }),
  });
  return {
    ...role,
    steps: role.steps.map(step => ({ ...step, outputs: step.outputs.map(guardedOutput) })),
    prompt: async input => {
      try {
        return await checkedAnswer(promptText, () => role.prompt(input));
      } catch (error) {
        throw reportedError(plugin, `prompt of role ${role.name}: ${errorText(error)}`, reportFault, error);
      }
    },
  };
}

export function guardedBackend(backend: Backend, plugin: string, reportFault: ReportFault): Backend {
  const { name, stream, passEnv, passEnvWith, needsConsent } = backend;
  return {
    name,
    stream,
    ...(passEnv !== undefined && { passEnv }),
    ...(passEnvWith !== undefined && { passEnvWith }),
    ...(needsConsent !== undefined && { needsConsent }),
    ...(backend.isLoggedIn !== undefined && {
      isLoggedIn: async env => {
        try {
          return await checkedAnswer(z.boolean(), () => backend.isLoggedIn!(env));
        } catch (error) {
          reportFault(`isLoggedIn of backend ${name}: ${errorText(error)}`);
          return true;
        }
      },
    }),
    ...(backend.probe !== undefined && {
      probe: async request => {
        try {
          return (await checkedAnswer(probeShape, () => backend.probe!(request))) as ProbeResult;
        } catch (error) {
          reportFault(`probe of backend ${name}: ${errorText(error)}`);
          return { fault: 'broken', seen: errorText(error) };
        }
      },
    }),
    start: async start => {
      try {
        return (await checkedAnswer(startedShape, () => backend.start(start))) as Started;
      } catch (error) {
        throw reportedError(plugin, `start of backend ${name}: ${errorText(error)}`, reportFault, error);
      }
    },
  };
}

function reportedError(plugin: string, problem: string, reportFault: ReportFault, cause: unknown): Error {
  reportFault(problem);
  return dureError('E_PLUGIN', { plugin, problem }, { cause });
}

/** Validates like the plugin's shape and has the same JSON Schema, but never throws. */
function guardedShape(shape: z.ZodType, file: string, reportFault: ReportFault): z.ZodType {
  const checked = z.unknown().superRefine(async (value, ctx) => {
    try {
      const read = await parseWith(shape, value);
      for (const { path, message } of read.success ? [] : read.error.issues)
        ctx.addIssue({ code: 'custom', path: [...path], message });
    } catch (error) {
      const message = `the shape of ${file} failed while checking the file: ${errorText(error)}`;
      reportFault(message);
      ctx.addIssue({ code: 'custom', message });
    }
  });
  const schema = jsonSchemaOf(shape, z);
  return schema ? checked.meta(schema) : checked;
}
