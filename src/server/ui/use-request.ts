/** Sends the user's request: it is processed, left in the run folder for the next driver, or refused with a reason. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Recorded } from '../protocol.ts';
import { showToast } from './parts/toast.tsx';
import { useWords } from './preferences.ts';
import { Refusal } from './refusal-error.ts';

/** The request is in the run folder, but no driver has processed it yet. */
const isLeft = (error: unknown) => error instanceof Refusal && error.problem.code === 'E_NOT_TAKEN';

export function useRequest<T>(
  send: (request: T) => Promise<Recorded>,
  confirmation: (recorded: Recorded) => string | Promise<string>,
  then?: () => void,
) {
  const client = useQueryClient();
  const w = useWords();
  return useMutation({
    mutationFn: (request: T) =>
      send(request).catch((error: unknown) => {
        if (!isLeft(error)) throw error;
        return null;
      }),
    onSuccess: async recorded => {
      showToast(recorded ? await confirmation(recorded) : w.run.asked);
      then?.();
    },
    onSettled: () => client.invalidateQueries(),
  });
}
