/** Which lines of which files ran, as istanbul's JSON and lcov say. Pure. A line that ran in one of several reports ran. */
import { z } from 'zod';
import type { Output } from '../results.ts';
import { jsonReports } from './json-reporter.ts';
import { jsonObjects, plain } from './text.ts';

/** By the path as the report has it: for each line that can run, whether it did. */
export type LineCoverage = ReadonlyMap<string, ReadonlyMap<number, boolean>>;

const istanbul = z.record(
  z.string(),
  z.object({
    statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.int() }) })),
    s: z.record(z.string(), z.number()),
  }),
);

type Line = readonly [file: string, line: number, ran: boolean];

export function readLineCoverage({ stdout, stderr, files }: Output): LineCoverage {
  const written = files.flatMap(({ name, text }) => {
    if (name.endsWith('coverage-final.json')) return jsonObjects(text, /\{/g).flatMap(ofIstanbul);
    return name.endsWith('.info') ? ofLcov(text) : ofReports(text);
  });
  return byFile([...written, ...[stdout, stderr].flatMap(text => ofReports(plain(text)))]);
}

const ofReports = (text: string): Line[] =>
  jsonReports(text).flatMap(report => ofIstanbul(report.coverageMap));

/** A line can run when a statement starts on it. */
function ofIstanbul(value: unknown): Line[] {
  const read = istanbul.safeParse(value);
  if (!read.success) return [];
  return Object.entries(read.data).flatMap(([file, { statementMap, s }]) =>
    Object.entries(statementMap).map(([id, { start }]): Line => [file, start.line, (s[id] ?? 0) > 0]),
  );
}

function ofLcov(text: string): Line[] {
  const found: Line[] = [];
  let file: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) file = line.slice('SF:'.length);
    const [, number, hits] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
    if (file !== null && number !== undefined) found.push([file, Number(number), Number(hits) > 0]);
    if (line === 'end_of_record') file = null;
  }
  return found;
}

function byFile(lines: readonly Line[]): LineCoverage {
  const files = new Map<string, Map<number, boolean>>();
  for (const [file, line, ran] of lines) {
    const known = files.get(file) ?? new Map<number, boolean>();
    files.set(file, known.set(line, known.get(line) === true || ran));
  }
  return files;
}
