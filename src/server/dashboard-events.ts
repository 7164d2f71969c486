/** Sends new events to the pages that show their run, as dashboard messages. */
import type { Namespace, Socket } from 'socket.io';
import { severityOf } from '../formats/event-severity.ts';
import { stageOf, statusOf } from './dashboard-data.ts';
import { noticeOf } from './desktop-notice.ts';
import type { LogStep } from './event-log-tail.ts';
import type { DashboardToServer, ServerToDashboard } from './socket-protocol.ts';

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
    const notice = noticeOf(runId, seq, event);
    if (notice) dashboard.emit('notice', notice);
  }
}
