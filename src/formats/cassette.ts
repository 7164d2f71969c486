/** A recording for the rehearsal backend: what each launch prints, which files it writes, and how it ends. */
import { z } from 'zod';
import { defineFile } from './schema/define-file.ts';

const move = z.union([
  z.strictObject({ say: z.string() }).describe('output text of the agent'),
  z
    .strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()).default({}) })
    .describe('a tool call'),
  z.strictObject({ wait: z.number().nonnegative() }).describe('milliseconds'),
  z.strictObject({ write: z.string(), text: z.string() }).describe('a file, relative to the run folder'),
  z
    .strictObject({ json: z.string(), value: z.unknown() })
    .describe('a JSON file; {{now}} in strings is the time'),
  z.strictObject({ remove: z.string() }),
  z.strictObject({ sh: z.string() }).describe('a shell command in the run folder'),
  z
    .strictObject({ ask: z.unknown() })
    .describe(
      'asks a question with consult_human; the launch ends, and the next one continues after the answer',
    ),
  z.strictObject({ spend: z.number().nonnegative() }).describe('US dollars'),
  z.strictObject({ print: z.string() }).describe('raw text on standard output'),
  z
    .strictObject({ result: z.record(z.string(), z.unknown()) })
    .describe('keys of the `result` event to override'),
  z.strictObject({ exit: z.int() }),
  z.strictObject({ kill: z.string() }).describe('the agent kills itself with this signal'),
]);
export type Move = z.infer<typeof move>;

const cassette = z.strictObject({
  title: z.string(),
  /**
   * Keyed by `builder`, `verifier:generate` and so on: one part for each launch, in order; the last one is repeated.
   */
  parts: z.record(z.string(), z.array(z.array(move))),
});
export const cassetteFile = defineFile(
  '*.cassette.json',
  'A recording that the rehearsal backend plays.',
  cassette,
);
export type Cassette = z.infer<typeof cassette>;
