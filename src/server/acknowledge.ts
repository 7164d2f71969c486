/** An acknowledgement is the other side's wish: whatever else stands in its place is ignored. */
export const answer = (ack: unknown, said: unknown): void => {
  if (typeof ack === 'function') ack(said);
};
