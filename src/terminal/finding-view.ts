/** Formats `doctor` findings for a terminal and as JSON. */
import type { Finding } from '../doctor/finding.ts';
import { enCli } from '../words/cli/en.ts';
import { words } from '../words/cli/language.ts';
import { doneLine, problemLine, warningLine } from './message-line.ts';

const LINES = { ok: doneLine, warning: warningLine, problem: problemLine };

export function findingView({ name, status, say }: Finding): string {
  const [seen, fix] = say(words());
  return LINES[status](`${name}: ${seen}${fix ? `\n${words().doctor.fix} ${fix}` : ''}`);
}

export function findingJson({ name, status, say }: Finding) {
  const [seen, fix] = say(enCli);
  return { name, status, seen, fix: fix || null };
}
