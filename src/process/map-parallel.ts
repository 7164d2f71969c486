/**
 * Maps items, with at most `jobs` in progress at the same time. Items are started in order, and the results have the
 * same order. If one fails, no more are started, and the promise rejects with its error once the running ones have
 * ended.
 */
export async function mapParallel<T extends readonly unknown[], R>(
  jobs: number,
  items: T,
  work: (item: T[number]) => Promise<R>,
): Promise<{ -readonly [N in keyof T]: R }> {
  const results: R[] = [];
  const queue = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [n, item] of queue) {
      if (hasFailed) return;
      results[n] = await work(item).catch(error => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const workers = Array.from({ length: Math.min(jobs, items.length) }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results as { -readonly [N in keyof T]: R };
}
