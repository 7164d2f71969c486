/** The process that drives a run. */
import { z } from 'zod';
import { timestamp } from './common-fields.ts';
import { defineFile } from './define-file.ts';
import { identity } from './launch.ts';

const driver = z.strictObject({ process: identity, since: timestamp });
export const driverFile = defineFile(
  'driver.json',
  'The process that drives the run, or drove it last.',
  driver,
);
export type Driver = z.infer<typeof driver>;
