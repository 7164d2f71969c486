/** A wish of a person: taken, left for whoever drives the run next, or refused with a reason that is shown. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Recorded } from '../protocol.ts';
import { useWords } from './look.ts';
import { say } from './parts/said.tsx';
import { Refusal } from './refusal.ts';

/** The wish lies in the run folder, but nobody has taken it up yet. */
const isLeft = (error: unknown) => error instanceof Refusal && error.problem.code === 'E_NOT_TAKEN';

export function useWish<T>(
  send: (wish: T) => Promise<Recorded>,
  said: (taken: Recorded) => string | Promise<string>,
  then?: () => void,
) {
  const client = useQueryClient();
  const w = useWords();
  return useMutation({
    mutationFn: (wish: T) =>
      send(wish).catch((error: unknown) => {
        if (!isLeft(error)) throw error;
        return null;
      }),
    onSuccess: async taken => {
      say(taken ? await said(taken) : w.run.asked);
      then?.();
    },
    onSettled: () => client.invalidateQueries(),
  });
}
