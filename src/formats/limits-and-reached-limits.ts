/** Limits at which a run pauses and asks the user. The configuration states them in larger units. */
import { z } from 'zod';

const limitName = z.enum(['launches', 'work_ms', 'silence_ms', 'run_bytes', 'project_bytes']);
export type LimitName = z.infer<typeof limitName>;

export const limits = z.partialRecord(limitName, z.number().positive()).describe('absent: no limit');
export type Limits = Readonly<z.infer<typeof limits>>;

/** A limit that was reached, and the amount that was used by then. */
export const reachedLimit = z.strictObject({ name: limitName, used: z.number().nonnegative() });
export type ReachedLimit = z.infer<typeof reachedLimit>;
