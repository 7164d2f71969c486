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
  'The last event that was sent to the notification channels.',
  z.strictObject({ seq: z.int().nonnegative() }),
);
