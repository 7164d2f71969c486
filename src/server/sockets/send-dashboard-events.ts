/** Sends new events of a run, as dashboard messages, to the pages that show the run. */
import type { Namespace, Socket } from 'socket.io';
import { NEEDS_ATTENTION, severityOf } from '../../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../../formats/events/events.ts';
import type { LogStep } from '../runs/event-log-tail.ts';
import type { BrowserNotification, DashboardToServer, ServerToDashboard } from '../socket-protocol.ts';
import { stageOf, statusOf } from './dashboard-data.ts';

export type Dashboard = Namespace<DashboardToServer, ServerToDashboard>;
export type DashboardSocket = Socket<DashboardToServer, ServerToDashboard>;

export function sendDashboardEvents(dashboard: Dashboard, runId: string, steps: readonly LogStep[]): void {
  const room = dashboard.to(runId);
  const events = steps.map(({ seq, event }) => ({ seq, severity: severityOf(event.type), event }));
  room.emit('run:events', { runId, events });
  for (const { seq, event, before, state } of steps) {
    if (before) {
      const [previousStage, newStage] = [stageOf(before), stageOf(state)];
      if (previousStage !== newStage)
        dashboard.to(runId).emit('dashboard:stage-change', { previousStage, newStage });
      for (const agent of Object.keys(state.agents)) {
        const [previousStatus, newStatus] = [statusOf(before, agent), statusOf(state, agent)];
        if (previousStatus !== newStatus)
          dashboard.to(runId).emit('dashboard:agent-status-change', { agent, previousStatus, newStatus });
      }
    }
    const notification = notificationOf(runId, seq, event);
    if (notification) dashboard.emit('notification', notification);
  }
}

/** Returns the desktop notification for an event, with the page that it opens; null if the event needs none. */
function notificationOf(runId: string, seq: number, event: RunEvent): BrowserNotification | null {
  if (!NEEDS_ATTENTION.includes(event.type)) return null;
  const page =
    event.type === 'crp.created' ? `/crp/${event.crp_id}` : event.type === 'mrp.created' ? '/mrp' : '';
  return {
    id: `${runId}#${seq}`,
    run_id: runId,
    severity: severityOf(event.type),
    event,
    page: `/run/${runId}${page}`,
  };
}
