/** The process that drives a run. */
import { z } from 'zod';
import { identity } from './launch.ts';
import { timestamp } from './schema/common-fields.ts';
import { defineFile } from './schema/define-file.ts';

const driver = z.strictObject({ process: identity, since: timestamp });
export const driverFile = defineFile(
  'driver.json',
  'The process that drives the run, or drove it last.',
  driver,
);
export type Driver = z.infer<typeof driver>;
