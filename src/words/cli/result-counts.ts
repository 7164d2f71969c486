/** Test counts by outcome. */
export interface ResultCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
