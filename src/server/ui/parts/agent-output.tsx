/** One agent: its state, and its output. An agent that is not working is shown as one line. */
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { OutputLine, RunView } from '../../http-protocol.ts';
import { api } from '../connection/api-client.ts';
import { bytes, formatCost, formatDuration } from '../format.ts';
import { useOutput } from '../hooks/use-output.ts';
import type { OutputBuffer } from '../output-buffer.ts';
import { useWords } from '../preferences.ts';
import { reachable } from './focusable-scroll.ts';
import { StyledText } from './styled-text.tsx';
import { showError } from './toast.tsx';

/** A scroll position within this many pixels of the end counts as the end. */
const NEAR = 24;

export function AgentOutput({
  run,
  role,
  launches,
  worked,
  isCurrent,
}: {
  run: RunView;
  role: string;
  launches: readonly number[];
  /** Total duration of all launches, in milliseconds. */
  worked: number;
  isCurrent: boolean;
}) {
  const w = useWords();
  const [choice, setOpen] = useState<boolean | null>(null);
  const isOpen = choice ?? isCurrent;
  const agent = run.agents[role];
  const spend = run.usage[role];
  const status = agent?.status ?? 'pending';
  /** Whether the agent is between two launches. */
  const hasPaused = status === 'pending' && launches.length > 0;
  return (
    <section className={`agent agent-${status}`} aria-labelledby={`agent-${role}`}>
      <header className="agent-head">
        <button
          type="button"
          className="plain small"
          aria-expanded={isOpen}
          aria-label={`${w.role(role)}: ${w.run.output}`}
          disabled={launches.length === 0 && !isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <h3 id={`agent-${role}`}>{w.role(role)}</h3>
        <span className="agent-status">{hasPaused ? '' : w.status(status)}</span>
        <span className="soft agent-facts">
          {worked > 0 && <span>{formatDuration(w, worked)}</span>}
          {spend && <span>{formatCost(w, spend.cost_usd, spend.complete)}</span>}
        </span>
      </header>
      {isOpen && <Log run={run} role={role} launches={launches} />}
    </section>
  );
}

function Log({ run, role, launches }: { run: RunView; role: string; launches: readonly number[] }) {
  const w = useWords();
  const [raw, setRaw] = useState(false);
  const [launch, setLaunch] = useState<number | null>(null);
  const [filter, setFilter] = useState('');
  const shown = useOutput(run.run_id, role, launch, raw);
  const wanted = filter.toLowerCase();
  const lines = wanted ? shown.lines.filter(({ text }) => text.toLowerCase().includes(wanted)) : shown.lines;
  const newest = shown.launch ?? launches.at(-1) ?? 0;
  return (
    <>
      <div className="row agent-tools">
        <input
          type="search"
          value={filter}
          placeholder={w.run.searchOutput}
          aria-label={`${w.role(role)}: ${w.run.searchOutput}`}
          onChange={event => setFilter(event.target.value)}
        />
        {launches.length > 1 && (
          <select
            className="agent-launch"
            aria-label={`${w.role(role)}: ${w.run.launch(newest)}`}
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
        <button
          type="button"
          className="plain small"
          onClick={() => void navigator.clipboard.writeText(lines.map(({ text }) => text).join('\n'))}
        >
          {w.review.copy}
        </button>
        <button
          type="button"
          className="plain small"
          onClick={() => void api.download(run.run_id, `logs/${role}.${newest}.log`).catch(showError)}
        >
          {w.run.wholeLog}
        </button>
      </div>
      <Output
        shown={{ ...shown, lines }}
        label={`${w.role(role)}: ${w.run.output}`}
        empty={launches.length > 0 ? w.run.silent : w.run.notYet}
      />
    </>
  );
}

function Output({ shown, label, empty }: { shown: OutputBuffer; label: string; empty: string }) {
  const w = useWords();
  const place = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [isPaused, setPaused] = useState(false);
  useLayoutEffect(() => {
    const box = place.current!;
    if (following.current) box.scrollTop = box.scrollHeight;
  });
  const scrolled = () => {
    const box = place.current!;
    following.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    setPaused(!following.current);
  };
  const follow = () => {
    place.current!.scrollTop = place.current!.scrollHeight;
  };
  return (
    <div className="output-frame">
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
          <Line key={line.key} kind={line.kind} text={line.text} styles={line.styles} />
        ))}
      </div>
      {isPaused && (
        <button type="button" className="small follow" onClick={follow}>
          {w.run.follow}
        </button>
      )}
    </div>
  );
}

const Line = memo(({ kind, text, styles }: OutputLine) => (
  <p className={`line-${kind}`}>{styles ? <StyledText text={text} styles={styles} /> : text}</p>
));
