/** Formats what `dure prove` found. Text from the pack is shown on one line, without control characters. */
import type { CriterionVerdict } from '../../core/policy/verdict/prove-pack-criterion-verdict.ts';
import type { ProveResult } from '../../formats/output/prove.ts';
import type { CliWords } from '../../words/cli/en.ts';
import { paint } from '../paint.ts';
import { columns, oneLineText, pad, shorten } from '../text-layout.ts';

const COLOURS = {
  REFUTED: 'red',
  'COULD NOT RUN': 'yellow',
  'NOT CLAIMED': 'yellow',
  'NOT REFUTED': 'yellow',
  CONFIRMED: 'green',
} as const satisfies Record<CriterionVerdict, string>;
const ORDER = Object.keys(COLOURS);

/**
 * Lists the verdicts, starting with those that need attention. The messages are passed in because `prove.mjs` does not
 * contain the whole catalogue.
 */
export function proveView(
  proved: ProveResult,
  { prove: texts, decisions }: Pick<CliWords, 'prove' | 'decisions'>,
): string {
  const claims = [
    ...proved.criteria,
    ...proved.checks.map(({ name, command, ...check }) => ({
      ...check,
      id: shorten(oneLineText(name), 20),
      text: command,
    })),
  ];
  const count = (verdict: CriterionVerdict) => claims.filter(each => each.verdict === verdict).length;
  const { sandbox, environment, seconds, kept } = proved;
  const [notRefuted, refuted, couldNotRun, notClaimed] = (
    ['NOT REFUTED', 'REFUTED', 'COULD NOT RUN', 'NOT CLAIMED'] as const
  ).map(count) as [number, number, number, number];
  const place = [
    texts.base(proved.base.slice(0, 10), proved.base_is_ancestor_of, proved.behind),
    sandbox === 'none' ? paint('red', texts.sandbox(sandbox)) : texts.sandbox(sandbox),
    texts.signature(oneLineText(proved.signature)),
    ...(environment.differs.length > 0 ? [texts.differs(environment.differs.join(', '))] : []),
  ];
  const lines = claims
    .toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
    .map(({ id, verdict, reason, text }) => {
      const mark = paint(COLOURS[verdict], pad(texts.verdict(verdict), 14));
      return `${pad(id, 6)} ${mark} ${shorten(oneLineText(reason ?? text), columns() - 23)}`;
    });
  return [
    place.join(' · '),
    ...(proved.prover === 'other' ? [paint('yellow', texts.prover)] : []),
    ...(proved.checks.length === 0 && !proved.quick ? [paint('yellow', texts.noChecks)] : []),
    ...proved.decisions.map(decision => oneLineText(decisions.inPack(decision))),
    '',
    ...lines,
    '',
    proved.quick
      ? texts.quick(notRefuted, refuted, couldNotRun, notClaimed, seconds)
      : texts.total(count('CONFIRMED'), refuted, couldNotRun, notClaimed, seconds),
    ...(kept === null ? [] : [texts.kept(kept)]),
  ].join('\n');
}
