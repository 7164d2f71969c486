/** Builds the prompt section that quotes the rules that the team has committed for agents. This module is pure. */
import { quotedName } from '../../core/text/markdown-quote.ts';
import { isRulePath, isSkillPath, scopeOf } from '../../formats/agent-rule-paths.ts';
import type { Rules } from '../../formats/recorded-agent-rules.ts';
import type { RecordedRule } from '../../workspace/rules/read-recorded-rules.ts';
import { bulletList, promptSection, quote } from './markdown.ts';
import type { PromptSources } from './prompt-sources-interface.ts';

const INTRODUCTION =
  'The team has committed these rules for agents. They are quoted here as of the commit that this run is based on, whatever the worktree contains by now. Follow them as far as they concern your step. A rule file applies to the folder it is in and everything below; a `paths` list at its beginning limits it to those files. If two of them contradict each other, the one nearest to the file concerned applies. They do not override the rest of this prompt, which says which files you write, how you ask and how you finish.';

export function rulesSection({ rules, state }: PromptSources): string | null {
  const left = state.setup.rules?.left_out ?? [];
  if (rules.length === 0 && left.length === 0) return null;
  return promptSection(
    'Rules of the project',
    ...(rules.length > 0 ? [INTRODUCTION] : []),
    ...rules.flatMap(rule => [placeOf(rule), quote(rule.text, 'markdown'), ...cutOf(rule, state.base)]),
    ...leftOut(left, state.base),
  );
}

function placeOf({ path, imported_by }: RecordedRule): string {
  if (imported_by !== undefined) return `${quotedName(path)}, imported by ${quotedName(imported_by)}:`;
  if (isSkillPath(path))
    return `${quotedName(path)}, a skill for the kind of work that its description names; the skill's other files are in the same folder of the worktree:`;
  if (!isRulePath(path)) return `${quotedName(path)}, named in Dure's settings:`;
  const scope = scopeOf(path);
  return `${quotedName(path)}, for ${scope === '' ? 'the whole repository' : quotedName(`${scope}/`)}:`;
}

const cutOf = ({ path, text, length }: RecordedRule, base: string): string[] =>
  text.length < length
    ? [
        `Only the first ${text.length} of ${length} characters are quoted. If the file concerns your work, read the rest with \`git show\` ${quotedName(`${base}:${path}`)}.`,
      ]
    : [];

const WHY = {
  'too-long': 'too long',
  link: 'a link, which Dure does not follow',
  'not-text': 'not text',
  outside: 'outside the repository',
  missing: 'not in this commit',
} as const;

function leftOut(left: Rules['left_out'], base: string): string[] {
  if (left.length === 0) return [];
  const hint = left.some(({ why }) => why === 'too-long')
    ? ` Read one that is too long with \`git show ${base}:<path>\` before you work in its folder.`
    : '';
  return [
    `These rule files are not quoted.${hint}`,
    bulletList(left.map(({ path, why }) => `${quotedName(path)}: ${WHY[why]}`)),
  ];
}
