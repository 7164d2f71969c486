/** Answers requests on a socket. */
import type { FailureView } from '../http-protocol.ts';

/**
 * Sends the result of `work`, or what `refuse` returns for its error, if the client asked for an acknowledgement.
 * Clients may send anything in place of the callback.
 */
export const acknowledge = (
  ack: unknown,
  work: Promise<unknown>,
  refuse: (error: unknown) => Promise<FailureView>,
): void =>
  void work.catch(refuse).then(answer => {
    if (typeof ack === 'function') ack(answer);
  });
