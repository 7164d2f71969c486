/** Formats `doctor` findings for a terminal and as JSON. */
import type { Finding } from '../../doctor/finding.ts';
import { enCli } from '../../words/cli/en.ts';
import { words } from '../../words/cli/load-language.ts';
import { doneLine, problemLine, warningLine } from '../message-line.ts';

const LINES = { ok: doneLine, warning: warningLine, problem: problemLine };

export function findingView({ name, status, describe }: Finding): string {
  const [seen, fix] = describe(words());
  return LINES[status](`${name}: ${seen}${fix ? `\n${words().doctor.fix} ${fix}` : ''}`);
}

export function findingJson({ name, status, describe }: Finding) {
  const [seen, fix] = describe(enCli);
  return { name, status, seen, fix: fix || null };
}
