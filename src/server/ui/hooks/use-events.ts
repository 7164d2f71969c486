/** The events of a run, kept up to date while a page subscribes to the run; see socket.ts. */
import { useQuery } from '@tanstack/react-query';
import type { EventsPage } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';

/** Returns undefined until the events have loaded. */
export const useEvents = (id: string): EventsPage | undefined =>
  useQuery({ queryKey: ['events', id], queryFn: () => api.events(id, 0) }).data;
