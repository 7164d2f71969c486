import { z } from 'zod';
import { defineFile, timestamp } from './define-file.ts';
import { identity } from './launch.ts';

const driver = z.strictObject({ process: identity, since: timestamp });
export const driverFile = defineFile(
  'driver.json',
  'The process that drives the run, or drove it last.',
  driver,
);
export type Driver = z.infer<typeof driver>;

export const deliveredFile = defineFile(
  'delivered.json',
  'Up to which event of the log the notification channels were told.',
  z.strictObject({ seq: z.int().nonnegative() }),
);
