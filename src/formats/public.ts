/**
 * Shapes whose types a plugin's author works with, as JSON Schemas: by the file here that defines them, and the name of
 * the type. Only the build reads this.
 */
import { z } from 'zod';
import { configFiles, ERROR_KINDS } from './config.ts';
import { runEvent } from './events.ts';
import { launchFile } from './launch.ts';
import { stateFile } from './state.ts';
import { testOutputFile } from './tests.ts';
import { verdictFile } from './verdict.ts';

const { global, refiner, builder, verifier, gatekeeper } = configFiles;
const config = z.strictObject({
  global: global.shape,
  refiner: refiner.shape,
  builder: builder.shape,
  verifier: verifier.shape,
  gatekeeper: gatekeeper.shape,
  plugins: z.record(z.string(), z.unknown()),
});

/** What was read, so with every default filled in. */
const schemaOf = (shape: z.ZodType): object => z.toJSONSchema(shape, { io: 'output' });

export const PUBLIC: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  config: { Config: schemaOf(config), ErrorKind: schemaOf(z.enum(ERROR_KINDS)) },
  events: { RunEvent: schemaOf(runEvent) },
  launch: { LaunchSpec: schemaOf(launchFile.shape) },
  state: { RunState: schemaOf(stateFile.shape) },
  tests: { TestOutput: schemaOf(testOutputFile.shape) },
  verdict: { Verdict: schemaOf(verdictFile.shape) },
};
