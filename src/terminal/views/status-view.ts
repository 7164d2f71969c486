/** Formats what `dure status` shows in a terminal. */

import { currentStep, phasesOf } from '../../core/policy/pipeline/look-up-steps.ts';
import { isOver, isWorkedOn, needsPerson } from '../../core/policy/state/phase.ts';
import type { RunStatus } from '../../core/run/run-store.ts';
import { spentUsd } from '../../core/usage-tracker.ts';
import type { RunState } from '../../formats/state.ts';
import { words } from '../../words/cli/load-language.ts';
import { money } from '../../words/format-amounts.ts';
import { amountText, costText, elapsed, phaseWord, round } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { decideCommands, lateCommands, nextAction } from '../suggested-commands.ts';
import { oneLineText, pad, shorten, table, wrap } from '../text-layout.ts';
import { checkLine } from './evidence-view.ts';

const MARK: Record<string, string> = {
  pending: '·',
  running: '▸',
  completed: '✔',
  failed: '✖',
  timeout: '⧖',
  waiting_human: '?',
};

const inTone = (phase: string, text: string): string =>
  phase === 'completed'
    ? paint('green', text)
    : phase === 'failed'
      ? paint('red', text)
      : phase === 'stopped' || needsPerson(phase)
        ? paint('yellow', text)
        : paint('cyan', text);

export function statusView(
  { state: s, damage }: Pick<RunStatus, 'state' | 'damage'>,
  briefing: string,
  now: number,
  width: number,
): string {
  const head = `${paint('bold', s.run_id)}  ${inTone(s.phase, phaseWord(s.phase))}`;
  const facts = [round(s), elapsed(s, now), costText(s)].join(' · ');
  return [
    head,
    ...opening(briefing, width),
    paint('dim', `  ${facts}`),
    agentsSandbox(s),
    '',
    ...phaseLine(s),
    indent(agents(s, width - 2)),
    ...tests(s, width),
    ...(damage ? damageLines(s, width) : [...delayLines(s, width), ...actionLines(s, width)]),
    '',
  ].join('\n');
}

function agentsSandbox({ setup: { sandbox } }: RunState): string {
  const w = words();
  return sandbox
    ? paint('dim', `  ${w.pack.agents}: ${w.sandbox.inside(sandbox.mode)}`)
    : paint('yellow', `  ${w.sandbox.agentsWithout}`);
}

/** Returns the first two lines of the briefing, without heading markers. */
function opening(briefing: string, width: number): string[] {
  const lines = wrap(oneLineText(briefing.replace(/^#+\s+/gm, '')), width - 1, '  ')
    .split('\n')
    .map(line => shorten(line, width));
  return lines.length > 2 ? [lines[0]!, `${lines[1]!.replace(/[\s.,;:-]+$/, '')}…`] : lines;
}

const indent = (text: string) => text.replace(/^/gm, '  ');

/** Formats the phases of the run, with the current one highlighted. */
function phaseLine(s: RunState): string[] {
  const now = s.waiting?.phase ?? s.interrupted_from ?? s.phase;
  const line = phasesOf(s.setup)
    .map(phase => paint(phase === now ? ['bold', 'underline'] : 'dim', phaseWord(phase)))
    .join(paint('dim', ' → '));
  return [`  ${line}`, ''];
}

function agents(s: RunState, width: number): string {
  return table(
    Object.entries(s.agents).map(([role, agent]) => [
      `${MARK[agent.status] ?? '·'} ${words().role(role)}`,
      words().status(agent.status),
      spent(s, role),
    ]),
    width,
  );
}

function spent(s: RunState, role: string): string {
  const usage = s.usage[role];
  return usage ? amountText(usage.cost_usd, usage.complete) : '';
}

function tests(s: RunState, width: number): string[] {
  const w = words();
  const lines: string[] = [];
  if (s.tests) {
    const { machine, coverage } = s.tests;
    const more = [w.counts(s.tests), ...(coverage === null ? [] : [w.covered(coverage)])].join(', ');
    const result = machine === 'pass' ? paint('green', more) : paint('red', `${w.machine(machine)}: ${more}`);
    lines.push(`  ${pad(w.pack.tests, 8)} ${result}`);
    const sandbox = sandboxLine(s.tests);
    if (sandbox) lines.push(wrap(sandbox, width, ' '.repeat(11)));
  }
  for (const [n, check] of (s.checks?.checks ?? []).entries()) {
    const text = wrap(checkLine(check), width, '           ').trimStart();
    const tone = check.status === 'pass' ? 'green' : check.status === 'regression' ? 'red' : 'yellow';
    lines.push(`  ${pad(n === 0 ? w.pack.checks : '', 8)} ${paint(tone, text)}`);
  }
  if (s.verdict) {
    const { verdict, claimed, lowered, reason } = s.verdict;
    const text = `${verdict}${lowered ? ` (${w.status_view.lowered(claimed, w.lowered(lowered))})` : ''}: ${oneLineText(reason)}`;
    lines.push(`  ${pad(w.pack.verdict, 8)} ${wrap(text, width, '           ').trimStart()}`);
  }
  if (s.reason)
    lines.push(
      `  ${pad(w.status_view.because, 8)} ${wrap(oneLineText(w.lowered(s.reason)), width, '           ').trimStart()}`,
    );
  if (s.budget_usd !== null)
    lines.push(`  ${pad(w.status_view.budget, 8)} ${w.ofBudget(money(spentUsd(s)), money(s.budget_usd))}`);
  return lines.length > 0 ? ['', ...lines] : [];
}

function sandboxLine({ sandbox, no_sandbox_because: why }: NonNullable<RunState['tests']>): string | null {
  const w = words().sandbox;
  if (sandbox === 'bubblewrap') return w.inside(sandbox);
  return sandbox === 'none' ? paint('yellow', w.without(oneLineText(why ?? w.unknown))) : null;
}

const damageLines = (s: RunState, width: number): string[] =>
  headingWithCommands(words().status_view.damaged, [`dure recover ${s.run_id}`], width);

function delayLines(s: RunState, width: number): string[] {
  const { delayed } = words().status_view;
  const causes = [
    ...(typeof s.blocked === 'string' && !isOver(s) ? [oneLineText(s.blocked)] : []),
    ...(s.delayed && isWorkedOn(s.phase)
      ? [delayed(words().role(currentStep(s).role), oneLineText(s.delayed))]
      : []),
  ];
  return causes.flatMap(text => ['', paint('yellow', wrap(text, width, '  '))]);
}

function actionLines(s: RunState, width: number): string[] {
  if (s.timeout_noticed && isWorkedOn(s.phase))
    return headingWithCommands(
      words().status_view.late(words().role(currentStep(s).role)),
      lateCommands(s),
      width,
    );
  const wait = nextAction(s);
  if (!wait) return [];
  const { answer, approval, recovery } = words().status_view;
  const heading = { answer: answer(s.pending_crp ?? ''), approval, recovery }[wait.for];
  const commands = wait.for === 'approval' ? [wait.command, ...decideCommands(s)] : [wait.command];
  return headingWithCommands(heading, commands, width);
}

const headingWithCommands = (heading: string, commands: readonly string[], width: number): string[] => [
  '',
  wrap(heading, width, '  '),
  ...commands.map(command => `    ${paint('cyan', command)}`),
];
