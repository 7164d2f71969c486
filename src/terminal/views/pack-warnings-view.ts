/** Formats the warnings of a pack. */

import { packWarnings } from '../../core/run/pack/warnings.ts';
import { spelledOut } from '../../core/text/markdown-quote.ts';
import type { Evidence } from '../../formats/evidence.ts';
import { words } from '../../words/cli/load-language.ts';
import { paint } from '../paint.ts';
import { oneLineText, wrap } from '../text-layout.ts';

export interface WarningView {
  readonly title: string;
  /** The names that the warning concerns, with hidden characters spelled out. */
  readonly names: readonly string[];
}

/** Returns the warnings of a pack. The warning about agents without a sandbox comes first. */
export const warningsOf = (e: Evidence): WarningView[] =>
  packWarnings(e)
    .sort((a, b) => Number(b.kind === 'agents-sandbox') - Number(a.kind === 'agents-sandbox'))
    .map(({ kind, names }) => {
      const { sandbox, pack } = words();
      if (kind === 'agents-sandbox') return { title: sandbox.agentsWithout, names: [] };
      if (kind === 'tests-sandbox')
        return { title: sandbox.without(oneLineText(names[0] ?? sandbox.unknown)), names: [] };
      return { title: pack.warning[kind], names: names.map(spelledOut) };
    });

const MAX_NAMES = 20;

/** Formats the warnings, which are printed above everything else in a pack. */
export function warningLines(e: Evidence, width: number): string[] {
  const lines = warningsOf(e).flatMap(({ title, names }) => [
    paint('yellow', `  ! ${wrap(title, width, '    ').trimStart()}`),
    ...names.slice(0, MAX_NAMES).map(name => `      ${name}`),
    ...(names.length > MAX_NAMES ? [`      ${words().pack.more(names.length - MAX_NAMES)}`] : []),
  ]);
  return lines.length > 0 ? [...lines, ''] : [];
}
