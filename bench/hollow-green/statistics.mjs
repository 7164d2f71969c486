/** Counts with their uncertainty. */

const Z = 1.96;

/** The 95% Wilson score interval of a proportion. */
export function wilson(part, whole) {
  if (whole === 0) return [0, 1];
  const share = part / whole;
  const by = 1 + Z ** 2 / whole;
  const middle = (share + Z ** 2 / (2 * whole)) / by;
  const half = (Z / by) * Math.sqrt((share * (1 - share)) / whole + Z ** 2 / (4 * whole ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

const percent = share => Math.round(100 * share);

/** `3 of 12 (9–53%)` */
export function share(part, whole) {
  if (whole === 0) return 'none';
  const [low, high] = wilson(part, whole);
  return `${part} of ${whole} (${percent(low)}–${percent(high)}%)`;
}
