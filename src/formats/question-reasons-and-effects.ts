/** Why Dure itself asks a question, and the effects of answers. */
import { z } from 'zod';

/** Why Dure itself asks a question. */
export const askReason = z.enum([
  'failure',
  'timeout',
  'setup',
  'tests',
  'repeated',
  'exhausted',
  'verdict',
  'unproven',
  'budget',
  'pack',
  'limit',
  'disk',
  'silence',
]);
export type AskReason = z.infer<typeof askReason>;

/** The effect of an answer. */
export const answerEffect = z.enum([
  'resume',
  'retry',
  'tests',
  'again',
  'setup',
  'accept',
  'raise',
  'pack',
  'stop',
]);
export type AnswerEffect = z.infer<typeof answerEffect>;
