/** Fetches what changed since the previous pack and, if a comment refers to its old side, the patch of that pack. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MrpView, SinceView } from '../../pack-protocol.ts';
import { api } from '../connection/api-client.ts';
import { type PatchFile, parsePatch } from '../diff/parse-patch.ts';
import { inFolders } from '../parts/diff/file-list.tsx';
import { sideOf } from '../review-draft.ts';

export interface ChangesSinceReview extends SinceView {
  readonly files: readonly PatchFile[];
  /** The files of the earlier pack; empty unless a comment refers to its base. */
  readonly before: readonly PatchFile[];
}

/** Null if there is no earlier pack, or it could not be fetched; undefined while it is being fetched. */
export function useChangesSinceReview({
  run_id,
  pack,
  tree,
}: MrpView): ChangesSinceReview | null | undefined {
  const since = useQuery({
    queryKey: ['since', run_id, pack, tree],
    queryFn: () => api.since(run_id, pack),
    enabled: pack > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const earlier = since.data?.pack;
  const commented = useQuery({
    queryKey: ['pack', run_id, earlier],
    queryFn: () => api.pack(run_id, earlier!),
    enabled: since.data?.comments.some(comment => sideOf(comment) === 'old') ?? false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isLoading = since.isLoading || commented.isLoading;
  return useMemo(() => {
    if (isLoading) return undefined;
    if (!since.data) return null;
    const patch = commented.data?.patch;
    return {
      ...since.data,
      files: inFolders(parsePatch(since.data.patch)),
      before: patch === undefined ? [] : parsePatch(patch),
    };
  }, [isLoading, since.data, commented.data]);
}
