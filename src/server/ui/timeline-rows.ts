/** Groups the events of a run by iteration, with one row per launch. Pure. */
import type { SeenEvent } from '../http-protocol.ts';

export interface LaunchRow {
  readonly seq: number;
  readonly role: string;
  readonly step: string;
  readonly startedAt: string;
  readonly status: 'running' | 'stopped' | 'completed' | 'failed' | 'timeout';
  /** Milliseconds; null if the launch has not ended. */
  readonly took: number | null;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
}
export type TimelineRow = { readonly launch: LaunchRow } | { readonly event: SeenEvent };
export interface TimelineGroup {
  readonly iteration: number;
  readonly rows: TimelineRow[];
}

/** Events that are not listed, because the row of their launch already shows them. */
const IN_LAUNCH = ['agent.started', 'agent.completed', 'agent.exited'];

/** Events that end a run and all its agents. */
export const ENDS = ['run.completed', 'run.failed', 'run.stopped'];

/** Returns the groups, oldest first. */
export function timelineGroups(events: readonly SeenEvent[]): TimelineGroup[] {
  const groups: TimelineGroup[] = [{ iteration: 1, rows: [] }];
  const ofLaunch = new Map<number, SeenEvent[]>();
  for (const seen of events)
    if ('launch' in seen.event) {
      const { launch } = seen.event;
      ofLaunch.set(launch, [...(ofLaunch.get(launch) ?? []), seen]);
    }
  const isOver = events.some(({ event }) => ENDS.includes(event.type));
  for (const seen of events) {
    const { event } = seen;
    if (event.type === 'iteration.started') groups.push({ iteration: event.iteration, rows: [] });
    const { rows } = groups.at(-1)!;
    if (!IN_LAUNCH.includes(event.type)) rows.push({ event: seen });
    else if (event.type === 'agent.started')
      rows.push({ launch: launchRow(seen, ofLaunch.get(event.launch)!, isOver ? 'stopped' : 'running') });
  }
  return groups;
}

/** The launches of an agent, excluding the steps that Dure runs itself. */
export const launchRowsOf = (
  groups: readonly TimelineGroup[],
  role: string,
  own: readonly string[],
): LaunchRow[] =>
  groups
    .flatMap(({ rows }) => rows.flatMap(row => ('launch' in row ? [row.launch] : [])))
    .filter(launch => launch.role === role && !own.includes(launch.step));

/** Total duration of these launches in milliseconds. A running one counts up to `now`. */
export const workedMs = (launches: readonly LaunchRow[], now: number): number =>
  launches.reduce(
    (sum, { took, status, startedAt }) =>
      sum + (took ?? (status === 'running' ? Math.max(0, now - Date.parse(startedAt)) : 0)),
    0,
  );

function launchRow(
  { seq, event }: SeenEvent,
  all: readonly SeenEvent[],
  withoutEnd: 'running' | 'stopped',
): LaunchRow {
  if (event.type !== 'agent.started') throw new TypeError('not the start of a launch');
  const find = (type: string) => all.find(one => one.event.type === type)?.event;
  const exited = find('agent.exited');
  const end = exited ?? find('agent.completed') ?? find('agent.failed') ?? find('agent.timeout');
  return {
    seq,
    role: event.agent,
    step: event.step,
    startedAt: event.at,
    status: find('agent.timeout')
      ? 'timeout'
      : find('agent.failed')
        ? 'failed'
        : end
          ? 'completed'
          : withoutEnd,
    took: end ? Date.parse(end.at) - Date.parse(event.at) : null,
    cost: exited?.type === 'agent.exited' ? (exited.usage?.cost_usd ?? null) : null,
  };
}
