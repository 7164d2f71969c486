/** One agent: its state and its output, shown as plain text only. */
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { RunView } from '../../protocol.ts';
import { bytes, formatCost, formatDuration } from '../format.ts';
import type { OutputBuffer } from '../output-buffer.ts';
import { useWords } from '../preferences.ts';
import { useOutput } from '../use-output.ts';
import { reachable } from './focusable-scroll.ts';

/** A scroll position within this many pixels of the end counts as the end. */
const NEAR = 24;

export function AgentOutput({
  run,
  role,
  launches,
  now,
}: {
  run: RunView;
  role: string;
  launches: readonly number[];
  now: number;
}) {
  const w = useWords();
  const [raw, setRaw] = useState(false);
  const [launch, setLaunch] = useState<number | null>(null);
  const shown = useOutput(run.run_id, role, launch, raw);
  const agent = run.agents[role];
  const spend = run.usage[role];
  const status = agent?.status ?? 'pending';
  const took =
    status === 'running' && agent?.started_at
      ? formatDuration(w, now - Date.parse(agent.started_at))
      : agent?.started_at && agent.completed_at && agent.completed_at >= agent.started_at
        ? formatDuration(w, Date.parse(agent.completed_at) - Date.parse(agent.started_at))
        : '';
  return (
    <section className={`agent agent-${status}`} aria-labelledby={`agent-${role}`}>
      <header className="agent-head">
        <h3 id={`agent-${role}`}>{w.role(role)}</h3>
        <span className="agent-status">{w.status(status)}</span>
        <span className="soft agent-facts">
          {took && <span>{took}</span>}
          {spend && <span>{formatCost(w, spend.cost_usd, spend.complete)}</span>}
        </span>
        {launches.length > 1 && (
          <select
            className="agent-launch"
            aria-label={`${w.role(role)}: ${w.run.launch(shown.launch ?? launches.at(-1)!)}`}
            value={launch ?? ''}
            onChange={event => setLaunch(event.target.value === '' ? null : Number(event.target.value))}
          >
            <option value="">{w.run.newest}</option>
            {launches.map(number => (
              <option key={number} value={number}>
                {w.run.launch(number)}
              </option>
            ))}
          </select>
        )}
        <button type="button" className="plain small" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {w.run.raw}
        </button>
      </header>
      <Output
        shown={shown}
        label={`${w.role(role)}: ${w.run.output}`}
        empty={launches.length > 0 ? w.run.silent : w.run.notYet}
      />
    </section>
  );
}

function Output({ shown, label, empty }: { shown: OutputBuffer; label: string; empty: string }) {
  const w = useWords();
  const place = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  useLayoutEffect(() => {
    const box = place.current!;
    if (following.current) box.scrollTop = box.scrollHeight;
  });
  const scrolled = () => {
    const box = place.current!;
    following.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
  };
  return (
    <div
      className="output mono"
      ref={place}
      onScroll={scrolled}
      {...reachable}
      role="log"
      aria-live="off"
      aria-label={label}
    >
      {shown.skipped > 0 && <p className="soft">{w.run.skipped(bytes(shown.skipped))}</p>}
      {shown.lines.length === 0 && <p className="soft">{empty}</p>}
      {shown.lines.map(line => (
        <Line key={line.key} kind={line.kind} text={line.text} />
      ))}
    </div>
  );
}

const Line = memo(({ kind, text }: { kind: string; text: string }) => (
  <p className={`line-${kind}`}>{text}</p>
));
