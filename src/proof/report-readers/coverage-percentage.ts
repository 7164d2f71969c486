/** Reads the percentage of covered lines from reports and tables. If the percentages differ, the lowest is used. */
import { z } from 'zod';
import type { CommandOutput } from '../read-test-results.ts';
import { jsonObjects } from './json-in-output.ts';
import { istanbulCoverage } from './line-coverage.ts';
import { stripAnsi } from './strip-ansi.ts';
import { jsonReports } from './vitest-jest-json.ts';

const summary = z.object({ total: z.object({ lines: z.object({ pct: z.number().min(0).max(100) }) }) });

export function readCoverage({ stdout, stderr, files }: CommandOutput): number | null {
  const written = files.flatMap(({ name, text }) => {
    if (name.endsWith('coverage-summary.json')) return ofSummary(text);
    if (name.endsWith('coverage-final.json')) return jsonObjects(text, /\{/g).flatMap(ofMap);
    return ofReports(text);
  });
  const printed = [stripAnsi(stdout), stripAnsi(stderr)].flatMap(text => [
    ...ofReports(text),
    ...ofTables(text),
  ]);
  const known = written.length > 0 ? written : printed;
  return known.length > 0 ? Math.min(...known) : null;
}

const ofSummary = (text: string): number[] =>
  jsonObjects(text, /\{\s*"total"/g).flatMap(value => summary.safeParse(value).data?.total.lines.pct ?? []);

const ofReports = (text: string): number[] => jsonReports(text).flatMap(report => ofMap(report.coverageMap));

function ofMap(value: unknown): number[] {
  const lines = [...istanbulCoverage(value).values()].flatMap(file => [...file.values()]);
  const covered = lines.filter(Boolean).length;
  return lines.length > 0 ? [Math.round((covered / lines.length) * 10_000) / 100] : [];
}

/** Reads Istanbul's table (`% Lines`), its short form (`Lines : 40%`) and node's table (`line %`). */
function ofTables(text: string): number[] {
  const found: number[] = [];
  let column = -1;
  for (const line of text.split('\n')) {
    const short = /^Lines\s*:\s*([\d.]+)%/.exec(line);
    if (short) found.push(Number(short[1]));
    if (!line.includes('|')) continue;
    const cells = line.split('|').map(cell => cell.trim().toLowerCase());
    const heading = cells.findIndex(cell => cell === '% lines' || cell === 'line %');
    if (heading > 0) column = heading;
    if (column > 0 && /^(?:[#ℹ] )?all files$/.test(cells[0]!) && /^[\d.]+$/.test(cells[column] ?? '')) {
      found.push(Number(cells[column]));
    }
  }
  return found.filter(percent => percent >= 0 && percent <= 100);
}
