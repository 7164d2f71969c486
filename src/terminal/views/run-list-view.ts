/** Formats the list of a project's runs for a terminal. */

import { needsPerson } from '../../core/policy/state/phase.ts';
import type { ListedRun } from '../../formats/output/common.ts';
import { words } from '../../words/cli/load-language.ts';
import { durationText, phaseWord, timeText } from '../format-times-and-costs.ts';
import { paint } from '../paint.ts';
import { oneLineText, table } from '../text-layout.ts';

/** On a narrow terminal, drops columns that other commands show. */
export function historyView(runs: readonly ListedRun[], width: number): string {
  if (runs.length === 0) return words().noRuns;
  const wide = width >= 76;
  const wider = width >= 110;
  const rows = runs.map(run => [
    run.run_id,
    phaseWord(run.phase),
    ...(wider
      ? [
          run.started_at ? timeText(run.started_at) : '',
          run.duration_ms === null ? '' : durationText(run.duration_ms),
        ]
      : []),
    ...(wide ? [run.cost] : []),
    run.problem ? oneLineText(run.problem) : `${run.origin ? `${words().imported} ` : ''}${run.briefing}`,
  ]);
  return table(rows, width)
    .split('\n')
    .map((line, i) => (needsPerson(runs[i]!.phase) ? paint('yellow', line) : line))
    .join('\n');
}
