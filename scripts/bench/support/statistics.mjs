/** Summarizes and formats what benchmarks measured. */

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Formats one table row: what was measured, and the milliseconds. */
export const line = (what, numbers) =>
  `${what.padEnd(44)} ${median(numbers).toFixed(1).padStart(8)} ms   (${Math.min(...numbers).toFixed(1)} to ${Math.max(...numbers).toFixed(1)}, ${numbers.length} runs)`;
