/**
 * Builds the prompt section on the acceptance criteria, for every role after the one that wrote them. This module is
 * pure.
 */
import { criteriaOf, roundOf } from '../../core/policy/criteria/briefing-and-feedback-criteria.ts';
import { inRun } from './input-output-sections.ts';
import { promptSection, quote } from './markdown.ts';
import type { PromptSources } from './prompt-sources-interface.ts';

const KINDS = { behaviour: '', keeps: ' (keeps)', look: ' (look)' } as const;

export function criteriaSection({ state, step, files }: PromptSources): string | null {
  const criteria = criteriaOf(state);
  if (criteria === null || step.outputs.some(output => inRun(files, output) === files.refined)) return null;
  const isAdded = criteria.some(each => roundOf(each) !== null);
  return promptSection(
    'Acceptance criteria',
    'They were sealed with the refined briefing, and nobody can change them. `keeps` holds before and after the change; `look` is for a person to judge.',
    ...(isAdded ? [OF_FEEDBACK] : []),
    quote(criteria.map(({ id, kind, text }) => `${id}${KINDS[kind]}: ${text}`).join('\n')),
    ...(step.yields === 'tests' ? [OF_TESTS] : []),
    ...(step.yields === 'tests' && isAdded ? [TESTS_OF_FEEDBACK] : []),
  );
}

const OF_FEEDBACK =
  "`FB-1.2` is the second comment in the person's first request for changes. Comments take precedence over the other criteria, and later comments over earlier ones.";
const TESTS_OF_FEEDBACK =
  'Comments are criteria like the others: `FB-1.2: …` (`test_fb_1_2_…`, `TestFB1_2…`, `fb_1_2_…`). A comment that no test can cover belongs in `not_claimed`, with the reason: it is not about behaviour (naming or wording), the base already does what it asks for, or a later comment replaces it. The same applies to a criterion that a comment replaces.';

const OF_TESTS = `Name the criterion that a test proves at the start of its title: \`AC-2: refuses the 61st request\` (\`test_ac2_…\` in Python, \`TestAC2…\` in Go, \`ac2_…\` in Rust). Every criterion needs a test that would fail without the change; for \`keeps\`, one that passes before and after it. If the runner has no titles, list the tests in \`claims\` of \`test-config.json\`. List a criterion that no test can prove in \`not_claimed\`, with the reason. Never claim a criterion with a test that would also pass if the criterion were not met.`;
