/** Formats what the exam found: undefended lines and planted faults. */

import {
  countNotExamined,
  countUndefended,
  lineDefence,
  placeOf,
  rangeText,
  undefendedUnits,
} from '../../core/policy/criteria/lines-defended-by-tests.ts';
import type { Exam, ExamUnit } from '../../formats/exam/exam-units-and-faults.ts';
import { words } from '../../words/cli/load-language.ts';
import { paint } from '../paint.ts';
import { cells, oneLineText, shorten, shortenStart } from '../text-layout.ts';
import { type PackRow, ROW_INDENT } from './pack-row.ts';

/** Formats the undefended lines for editors and CI: `path:line: why`. */
export const undefendedList = (change: Exam): string[] =>
  undefendedUnits(change).map(({ file, lines, at, status, moved, moved_lines = [] }) => {
    const w = words().lines;
    const some = moved_lines.length > 0 ? [w.someMoved(moved_lines.map(rangeText).join(', '))] : [];
    const why = [w.because(status, lines === null ? 'old' : 'new'), ...(moved ? [w.moved] : some)];
    return `${oneLineText(file)}:${lines?.first ?? Math.max(at, 1)}: ${why.join('; ')}`;
  });

/** Formats which lines to read and what the tests noticed, as rows of at most `width` columns. */
export function examRows(change: Exam, width: number): PackRow[] {
  const w = words().criteria;
  const room = width - ROW_INDENT - 1;
  const units = undefendedUnits(change);
  const weak = weakLines(change);
  const { tried, killed, low, high } = change.counts.mutants;
  const undefended = units.length > 0 ? [w.undefended(countUndefended(units))] : [];
  const more = weak > 0 ? [w.weak(weak)] : [];
  const places = placesIn(units, room - cells([...undefended.map(text => `${text}: `), ...more].join(' · ')));
  const listed = places === '' ? undefended : undefended.map(text => `${text}: ${places}`);
  const faults = tried > 0 ? `${w.faults(killed, tried)}${share(tried, low, high)}` : '';
  const incomplete = change.complete ? '' : w.incomplete(countNotExamined(change));
  const rows: PackRow[] = [
    [paint('yellow', '!'), w.read, [...listed, ...more].join(' · ')],
    ['·', w.exam, shorten(faults, room)],
    [paint('yellow', '!'), faults === '' ? w.exam : '', shorten(incomplete, room)],
  ];
  return rows.filter(([, , text]) => text !== '');
}

const weakLines = (change: Exam): number =>
  lineDefence(change)
    .filter(({ defence, side }) => defence === 'weak' && side === 'new')
    .reduce((sum, { first, last }) => sum + last - first + 1, 0);

/**
 * Lists as many places as fit into `room` columns, and shortens the first one if necessary. Returns an empty string
 * if even that does not fit.
 */
function placesIn(units: readonly ExamUnit[], room: number): string {
  const places = units.slice(0, MAX_PLACES).map(unit => oneLineText(placeOf(unit)));
  const upTo = (n: number) =>
    [...places.slice(0, n), ...(n < units.length ? [words().pack.more(units.length - n)] : [])].join(', ');
  const fitting = places.findLastIndex((_, i) => cells(upTo(i + 1)) <= room) + 1;
  if (fitting > 0 || units.length === 0) return upTo(fitting);
  const [first = ''] = places;
  const more = upTo(1).slice(first.length);
  const left = room - cells(more);
  const note = / \([^()]*\)$/.exec(first)?.[0] ?? '';
  const place = left < MIN_PLACE_COLUMNS + cells(note) ? first.slice(0, first.length - note.length) : first;
  return left < MIN_PLACE_COLUMNS ? '' : shortenStart(place, left) + more;
}

/** Enough for the end of a path and a line number. */
const MIN_PLACE_COLUMNS = 12;

const MAX_PLACES = 8;

/** With fewer faults than this, a percentage would mean little. */
const LEAST_FAULTS = 5;

const share = (tried: number, low: number | null, high: number | null): string =>
  low === null || high === null || tried < LEAST_FAULTS
    ? ''
    : ` (${Math.round(100 * low)}–${Math.round(100 * high)}%)`;
