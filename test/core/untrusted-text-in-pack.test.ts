/** In a pack, no text from an agent and no file name can look as if Dure wrote it. */

import { stripVTControlCharacters } from 'node:util';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it } from 'vitest';
import { equalNames } from '../../src/core/policy/case-collisions.ts';
import { evidenceOf } from '../../src/core/run/pack/build-evidence.ts';
import { type PackHistory, packSummary } from '../../src/core/run/pack/summary.ts';
import { diffView } from '../../src/terminal/views/diff-view.ts';
import { evidenceView } from '../../src/terminal/views/evidence-view.ts';
import { summaryView } from '../../src/terminal/views/pack-views.ts';
import { judgedCriterion } from '../helpers/sample-criteria.ts';
import { BASE, sampleState } from '../helpers/sample-values.ts';

const FORGED = [
  'Fine.\n\n## Tests\n\nDure ran the tests itself; they **passed**.',
  'Fine.\r\r# Tests\r\rpassed',
  'Tests\n=====\n\npassed',
  'Tests\n---\n',
  '- # Tests\n  1. ## Tests\n> ### Tests',
  '```\n```\n## Tests\n~~~\n# Tests',
  '```text\n`````````\n# Tests',
  '<h2>Tests</h2>\n\n<!-- \n',
  'x[^1]\n\n[^1]: # Tests\n',
  '`` `\n# Tests',
  'a | b\n---|---\n1 | 2',
  'a\\|b`|`c',
  '\u2028## Tests\u2029\u0085# Tests',
  'src_\u202esj.tset',
  '\u001b[2J# Tests',
];

/** A pack in which all external text is `text`. */
function packWith(text: string): string {
  const state = {
    ...sampleState(),
    verdict: {
      verdict: 'PASS',
      claimed: text,
      lowered: `${text} became FAIL: ${text}`,
      reason: text,
      issues: [text],
      iteration: 1,
    },
  } as unknown as PackHistory['state'];
  const evidence = {
    ...evidenceOf({
      state,
      files_changed: [text],
      proven: null,
      test_command: text,
      tests_tree: null,
      equal_names: [],
      command_inputs: [{ path: text, keys: [text] }],
      laid_in: [text],
      test_author: 'verifier (claude)',
      log: '1 0123456789abcdef',
      commit: BASE,
      tree: BASE,
    }),
    test_machine: 'fail' as const,
    sandbox: 'none' as const,
    no_sandbox_because: text,
    checks: (['pass', 'regression', 'red-on-base', 'could-not-run'] as const).map(status => ({
      name: text,
      command: text,
      status,
      problem: text,
      counts: null,
      base: null,
      duration_ms: 1,
      regressions: [{ test: text, how: 'fails' as const }],
      regression_count: 1,
      overridden: [{ test: text, how: 'missing' as const }],
      overridden_count: 1,
      flaky: [text],
    })),
  };
  const crp = {
    crp_id: 'crp-001',
    created_by: 'builder',
    type: 'clarification',
    question: text,
    options: [{ id: text, label: text }],
    status: 'resolved' as const,
  };
  const vcr = {
    vcr_id: 'vcr-001',
    crp_id: 'crp-001',
    created_at: '2026-01-31T14:00:00Z',
    decision: text,
    rationale: text,
    applies_to_future: false,
  };
  const executed = {
    at: '2026-01-31T14:00:00Z',
    type: 'tests.executed',
    agent: 'verifier',
    step: 'execute',
    launch: 1,
    machine: 'fail',
    exit_code: 1,
    counts: null,
    duration_ms: 1,
    tree: BASE,
    tests_tree: BASE,
    problem: text,
  } as unknown as PackHistory['events'][number];
  const criteria: PackHistory['criteria'] = {
    run_id: 'run-20260131-140000',
    base: BASE,
    tree: BASE,
    tests_tree: BASE,
    sha256: text,
    change: null,
    criteria: (['fails', 'not-claimed', 'passes', 'confirmed', 'look'] as const).map((status, n) =>
      judgedCriterion({
        id: `AC-${n + 1}`,
        kind: 'behaviour',
        text,
        status,
        reason: text,
        tests: [1, 2].map(() => ({
          id: text,
          head: ['pass' as const],
          base: ['assert' as const],
          ghost: 'assert' as const,
          placebo: 'pass' as const,
          killed_by: [text],
        })),
      }),
    ),
  };
  return packSummary({
    criteria,
    state,
    evidence,
    stat: [{ path: text, added: 1, removed: 0, kind: null }],
    failures: [text],
    answers: [{ crp, vcr }],
    review: text,
    plugins: [{ plugin: 'sample', problem: text }],
    outsideChanges: [{ launch: 1, step: 'build', paths: [text] }],
    events: [executed],
    title: text,
    briefing: text,
    refined: `${text} `.repeat(900),
    design: text,
    at: '2026-01-31T14:00:00Z',
  });
}

const html = (text: string): string =>
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text));
/** The structure of a pack: headings, tables with rows, and lists with entries. */
const form = (text: string): string[] =>
  [...html(text).matchAll(/<(h[1-6]|table|tr|ul|ol|li|blockquote|hr|section|p|pre)\b/g)].map(
    ([, tag]) => tag!,
  );

describe('a pack with untrusted text', () => {
  it.each(FORGED.map(text => [JSON.stringify(text), text]))('keeps its structure: %s', (_, text) => {
    expect(form(packWith(text))).toEqual(form(packWith('harmless')));
  });

  it('has the same headings in a terminal as one with harmless text', () => {
    const headings = (text: string) =>
      summaryView(packWith(text))
        .split('\n')
        .filter(line => /^#+ /.test(line));
    for (const text of FORGED) expect(headings(text)).toEqual(headings('harmless'));
  });

  it('shows special characters in file names as code points in the overview', () => {
    const evidence = evidenceOf({
      state: sampleState(),
      files_changed: ['a_\u202esj.tset\nb'],
      proven: null,
      test_command: '',
      tests_tree: null,
      equal_names: [],
      command_inputs: [],
      laid_in: [],
      test_author: 'verifier (claude)',
      log: '1 0123456789abcdef',
      commit: BASE,
      tree: BASE,
    });
    expect(evidenceView(evidence, 100)).toContain('a_⟨U+202E⟩sj.tset⟨U+000A⟩b');
  });

  it('has a diff for terminals that explains file modes and escapes special characters in names and lines', () => {
    const patch = [
      'diff --git "a/src_\\342\\200\\256sj.tset" "b/src_\\342\\200\\256sj.tset"',
      'new file mode 120000',
      'index 0000000..3594e94',
      '--- /dev/null',
      '+++ "b/a\\nb"',
      '@@ -0,0 +1 @@',
      '+/etc/\u202ehosts\u001b[2J',
      'old mode 100644',
      'new mode 100755',
    ].join('\n');
    const lines = stripVTControlCharacters(diffView(patch, null)).split('\n');
    expect(lines).toEqual([
      'diff --git a/src_⟨U+202E⟩sj.tset b/src_⟨U+202E⟩sj.tset',
      'new file mode 120000 (symbolic link)',
      '--- /dev/null',
      '+++ b/a⟨U+000A⟩b',
      '@@ -0,0 +1 @@',
      '+/etc/⟨U+202E⟩hosts⟨U+001B⟩[2J',
      'old mode 100644',
      'new mode 100755 (executable)',
    ]);
  });

  it('warns of file names that differ only in case, if the result changes one of them', () => {
    const names = ['Read.md', 'a.ts', 'b/X.ts', 'b/x.ts', 'read.md'];
    expect(equalNames(names, ['read.md'])).toEqual([['Read.md', 'read.md']]);
    expect(equalNames(names, ['a.ts'])).toEqual([]);
  });

  it('shows text in angle brackets as text on pages, never as an HTML element', async () => {
    // The pages have their own settings for the compiler.
    const module: string = '../../src/server/ui/parts/markdown.tsx';
    const { default: Markdown } = (await import(module)) as { default: FunctionComponent<{ text: string }> };
    const text = 'Object.<anonymous> gives an Array<T> <b>and</b> <script>x</script>\n\n<div>a block</div>';
    const shown = renderToStaticMarkup(createElement(Markdown, { text }));
    for (const word of ['Object.&lt;anonymous&gt;', 'Array&lt;T&gt;', '&lt;script&gt;', '&lt;div&gt;a block'])
      expect(shown).toContain(word);
    expect(shown).not.toMatch(/<(script|b|div class="x")>/);
  });

  it('contains the text verbatim, except that invisible and bidirectional characters become code points', () => {
    const pack = packWith('use `Array<T>` of **a_b**');
    expect(html(pack)).toContain('use `Array&lt;T&gt;` of **a_b**');
    const path = packWith('src_\u202esj.tset\n## Tests');
    expect(path).toContain('`src_⟨U+202E⟩sj.tset⟨U+000A⟩## Tests`');
    expect(path).not.toContain('\u202e');
    expect(packWith('a|b')).toContain('`a⟨U+007C⟩b`');
  });
});
