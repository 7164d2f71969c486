/** The section on the acceptance criteria, for every role after the one that wrote them. This module is pure. */
import { inRun } from './file-sections.ts';
import { promptSection, quote } from './markdown.ts';
import type { PromptSources } from './prompt-sources.ts';

const KINDS = { behaviour: '', keeps: ' (keeps)', look: ' (look)' } as const;

export const criteriaSection = ({ state: { criteria }, step, files }: PromptSources): string | null =>
  criteria === undefined || step.outputs.some(output => inRun(files, output) === files.refined)
    ? null
    : promptSection(
        'Acceptance criteria',
        'They were sealed with the refined briefing, and nobody can change them. `keeps` holds before and after the change; `look` is for a person to judge.',
        quote(criteria.list.map(({ id, kind, text }) => `${id}${KINDS[kind]}: ${text}`).join('\n')),
        ...(step.yields === 'tests' ? [OF_TESTS] : []),
      );

const OF_TESTS = `Name the criterion that a test proves at the start of its title: \`AC-2: refuses the 61st request\` (\`test_ac2_…\` in Python, \`TestAC2…\` in Go, \`ac2_…\` in Rust). Every criterion needs a test that would fail without the change; for \`keeps\`, one that passes before and after it. If the runner has no titles, list the tests in \`claims\` of \`test-config.json\`. List a criterion that no test can prove in \`not_claimed\`, with the reason. Never claim a criterion with a test that cannot fail because of it.`;
