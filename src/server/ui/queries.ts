/** Queries that several parts of the pages share. */
import { queryOptions } from '@tanstack/react-query';
import { api } from './connection/api-client.ts';

const PROJECTS_EVERY_MS = 30_000;

export const questionQuery = (id: string, crp: string) =>
  queryOptions({ queryKey: ['run', id, 'crp', crp], queryFn: () => api.question(id, crp) });

/** The other projects in which runs wait for the user. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: api.projects,
  refetchInterval: PROJECTS_EVERY_MS,
  staleTime: PROJECTS_EVERY_MS,
});

/** Also fetches everything else that the overview shows, so that its rows do not move afterwards. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  async queryFn({ client }) {
    const projects = client.prefetchQuery(projectsQuery);
    const overview = await api.overview();
    // Fetches only questions that have not been fetched yet: the parts that show a question refetch it.
    const questions = overview.waiting.flatMap(({ run_id, pending_crp }) =>
      pending_crp
        ? [
            client.prefetchQuery({
              ...questionQuery(run_id, pending_crp),
              staleTime: Number.POSITIVE_INFINITY,
            }),
          ]
        : [],
    );
    await Promise.all([projects, ...questions]);
    return overview;
  },
});
