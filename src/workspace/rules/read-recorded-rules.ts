/** Reads the rules that a run recorded, from git objects, because the files may have changed since. */
import type { RuleFile, Rules } from '../../formats/recorded-agent-rules.ts';
import type { Repository } from '../git/run-git.ts';
import { readTreeFiles } from '../git/tree-files.ts';
import { ruleText } from './rule-text.ts';

export interface RecordedRule extends RuleFile {
  /** The part of the file that prompts quote. */
  readonly text: string;
  /** Number of characters in the whole file. */
  readonly length: number;
}

export async function readRecordedRules(
  repo: Repository,
  { files }: Pick<Rules, 'files'>,
): Promise<RecordedRule[]> {
  const blobs = await readTreeFiles(
    repo,
    files.map(({ blob }) => blob),
  );
  return files.map(file => {
    const text = ruleText(blobs.get(file.blob)!) ?? '';
    return { ...file, text: text.slice(0, file.quoted), length: text.length };
  });
}
