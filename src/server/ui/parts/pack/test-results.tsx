/** The test results from Dure's own test run, not those that an agent reported. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TestCounts } from '../../../../formats/test-config-and-results.ts';
import type { RunView } from '../../../http-protocol.ts';
import { api } from '../../connection/api-client.ts';
import { useWords } from '../../preferences.ts';
import { reachable } from '../focusable-scroll.ts';
import { CheckList } from './check-results.tsx';

const TONE: Readonly<Record<string, string>> = {
  pass: 'good',
  fail: 'bad',
  'could-not-run': 'bad',
  'not-run': 'warn',
};

export function CountsBar({ counts }: { counts: TestCounts }) {
  const w = useWords();
  const part = (count: number) => (count / Math.max(counts.total, 1)) * 100;
  return (
    <>
      <svg className="bar tests-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="bar-ground" width="100" height="6" />
        <rect className="bar-good" width={part(counts.passed)} height="6" />
        <rect className="bar-bad" x={part(counts.passed)} width={part(counts.failed)} height="6" />
      </svg>
      <p className="about">
        <span className="good">{w.run.passed(counts.passed)}</span>
        <span className={counts.failed > 0 ? 'bad' : ''}>{w.run.failed(counts.failed)}</span>
        {counts.skipped > 0 && <span>{w.run.skippedTests(counts.skipped)}</span>}
        <span>{w.run.total(counts.total)}</span>
      </p>
    </>
  );
}

export function MachineResult({ machine }: { machine: string }) {
  const w = useWords();
  return <strong className={TONE[machine] ?? ''}>{w.machine(machine)}</strong>;
}

function SandboxLine({ sandbox, why = '?' }: { sandbox: string | undefined; why: string | undefined }) {
  const w = useWords();
  if (sandbox === undefined) return null;
  if (sandbox === 'none') return <p className="warn">{w.sandbox.without(why)}</p>;
  return <p className="soft">{w.sandbox.inside(sandbox)}</p>;
}

/** Fetched only when opened, because it may be long. */
function TestLog({ id }: { id: string }) {
  const w = useWords();
  const [open, setOpen] = useState(false);
  const log = useQuery({ queryKey: ['run', id, 'log'], queryFn: () => api.testLog(id), enabled: open });
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{w.run.log}</summary>
      {log.isSuccess && <Log text={log.data ?? ''} />}
    </details>
  );
}

/** Terminal escape sequences, such as colours. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

export function Log({ text }: { text: string }) {
  const w = useWords();
  return (
    <section aria-label={w.run.log}>
      <pre className="log" {...reachable}>
        {text.replace(SEQUENCES, '') || w.run.logEmpty}
      </pre>
    </section>
  );
}

export function TestResult({ run }: { run: RunView }) {
  const w = useWords();
  const { tests } = run;
  return (
    <section className="sheet" aria-labelledby="tests">
      <h2 id="tests">{w.review.tests}</h2>
      {tests === null ? (
        <p className="soft">{w.run.noTests}</p>
      ) : (
        <>
          <p className="row">
            <MachineResult machine={tests.machine} />
            <span className="soft">{w.run.exit(tests.exit_code)}</span>
          </p>
          <SandboxLine sandbox={tests.sandbox} why={tests.no_sandbox_because} />
          <CountsBar counts={tests} />
          {tests.changed_coverage !== undefined && (
            <p className="soft">{w.run.changedCoverage(tests.changed_coverage.toFixed(1))}</p>
          )}
          {tests.coverage !== null && <p className="soft">{w.run.coverage(tests.coverage.toFixed(1))}</p>}
          <TestLog key={tests.tests_tree + tests.tree} id={run.run_id} />
        </>
      )}
      {run.checks && <CheckList checks={run.checks.checks} />}
    </section>
  );
}
