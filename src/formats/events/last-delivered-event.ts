/** Records the last event that was sent to the notification channels. */
import { z } from 'zod';
import { defineFile } from '../schema/define-file.ts';

export const deliveredFile = defineFile(
  'delivered.json',
  'The last event that was sent to the notification channels.',
  z.strictObject({ seq: z.int().nonnegative() }),
);
