/** Sends an acknowledgement if the client asked for one. Clients may send anything in place of the callback. */
export const answer = (ack: unknown, reply: unknown): void => {
  if (typeof ack === 'function') ack(reply);
};
