/** Whoever asks while the work is being done shares its answer, so that however many ask it is done once at a time. */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let atWork: Promise<T> | null = null;
  return () => {
    atWork ??= work().finally(() => {
      atWork = null;
    });
    return atWork;
  };
}
