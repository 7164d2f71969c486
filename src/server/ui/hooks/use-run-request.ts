/** Sends the user's request: it is processed, left in the run folder for the next driver, or refused with a reason. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Recorded } from '../../http-protocol.ts';
import { Refusal } from '../connection/refusal-error.ts';
import { showToast } from '../parts/toast.tsx';
import { useWords } from '../preferences.ts';

/** Ids of events that record decisions made on this page. */
export const ownDecisions = new Set<string>();

/** The request is in the run folder, but no driver has processed it yet. */
const isLeft = (error: unknown) => error instanceof Refusal && error.problem.code === 'E_NOT_TAKEN';

const keyOf = (runId: string) => ['request', runId];

/**
 * While a request from this page is in progress, the page does not fetch the run again: its own decision
 * would look like someone else's.
 */
export function useUnlessSending(runId: string): (query: { state: { data: unknown } }) => boolean {
  const isSending = useIsMutating({ mutationKey: keyOf(runId) }) > 0;
  return query => !isSending || query.state.data === undefined;
}

export function useRequest<T>(
  runId: string,
  send: (request: T) => Promise<Recorded>,
  confirmation: (recorded: Recorded) => string | Promise<string>,
  then?: () => void,
) {
  const client = useQueryClient();
  const w = useWords();
  return useMutation({
    mutationKey: keyOf(runId),
    mutationFn: (request: T) =>
      send(request).catch((error: unknown) => {
        if (!isLeft(error)) throw error;
        return null;
      }),
    onSuccess: async recorded => {
      if (recorded) ownDecisions.add(recorded.id);
      showToast(recorded ? await confirmation(recorded) : w.run.asked);
      then?.();
    },
    onSettled: () => client.invalidateQueries(),
  });
}
