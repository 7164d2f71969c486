/** How far ahead of the clock a recorded time may be: clocks of file servers differ by less. */
const SKEW_MS = 60_000;

/**
 * Milliseconds since a recorded time (in milliseconds since the epoch), such as that of a file. Infinity if the time is
 * in the future, which means that the clock has since been set back.
 */
export function elapsedSince(time: number): number {
  const elapsed = Date.now() - time;
  return elapsed < -SKEW_MS ? Number.POSITIVE_INFINITY : elapsed;
}
