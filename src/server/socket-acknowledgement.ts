/** Sends an acknowledgement if the client asked for one. Clients may send anything in place of the callback. */
export const acknowledge = (ack: unknown, reply: unknown): void => {
  if (typeof ack === 'function') ack(reply);
};
