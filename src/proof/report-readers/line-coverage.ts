/**
 * Reads line coverage from istanbul's JSON, lcov and Go cover profiles. This module is pure. A line counts as run if
 * any report says so.
 */
import { z } from 'zod';
import type { CommandOutput } from '../read-test-results.ts';
import { jsonObjects } from './json-in-output.ts';
import { stripAnsi } from './strip-ansi.ts';
import { jsonReports } from './vitest-jest-json.ts';

/** Whether each executable line was executed, by file path as written in the report. */
export type LineCoverage = ReadonlyMap<string, ReadonlyMap<number, boolean>>;

const istanbul = z.record(
  z.string(),
  z.object({
    statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.int() }) })),
    s: z.record(z.string(), z.number()),
  }),
);

type Line = readonly [file: string, line: number, ran: boolean];

export function readLineCoverage({ stdout, stderr, files }: CommandOutput): LineCoverage {
  const written = files.flatMap(({ name, text }) => {
    if (name.endsWith('coverage-final.json')) return jsonObjects(text, /\{/g).flatMap(istanbulLines);
    if (/^mode: (set|count|atomic)$/m.test(text)) return ofGo(text);
    return name.endsWith('.info') ? ofLcov(text) : ofReports(text);
  });
  return byFile([...written, ...[stdout, stderr].flatMap(text => ofReports(stripAnsi(text)))]);
}

const ofReports = (text: string): Line[] =>
  jsonReports(text).flatMap(report => istanbulLines(report.coverageMap));

/**
 * Reads Istanbul's map of statements. A line is executable if a statement starts on it, and was run if one of these
 * statements was.
 */
export const istanbulCoverage = (value: unknown): LineCoverage => byFile(istanbulLines(value));

const istanbulLines = (value: unknown): Line[] =>
  Object.entries(istanbul.safeParse(value).data ?? {}).flatMap(([file, { statementMap, s }]) =>
    Object.entries(statementMap).map(([id, { start }]): Line => [file, start.line, (s[id] ?? 0) > 0]),
  );

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

/** `example.com/module/file.go:3.14,5.2 1 0`: start line.column, end line.column, statements, hits. */
const ofGo = (text: string): Line[] =>
  [...text.matchAll(/^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/gm)].flatMap(([, file, from, to, hits]) =>
    Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, n): Line => [file!, Number(from) + n, Number(hits) > 0],
    ),
  );

function byFile(lines: readonly Line[]): LineCoverage {
  const files = new Map<string, Map<number, boolean>>();
  for (const [file, line, ran] of lines) {
    const known = files.get(file) ?? new Map<number, boolean>();
    files.set(file, known.set(line, known.get(line) === true || ran));
  }
  return files;
}
