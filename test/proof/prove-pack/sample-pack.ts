/** Packs of a small project, as Dure or a forger would create them. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { feedbackCriteria } from '../../../src/core/policy/criteria/briefing-and-feedback-criteria.ts';
import { evidenceOf } from '../../../src/core/run/pack/build-evidence.ts';
import { decisionText } from '../../../src/core/run/requests/decision-proof.ts';
import type { Evidence } from '../../../src/formats/evidence.ts';
import { type Criterion, criteriaText } from '../../../src/formats/exam/acceptance-criteria.ts';
import type { CriteriaReport, JudgedCriterion } from '../../../src/formats/exam/criteria-report.ts';
import { parseCriteria } from '../../../src/formats/exam/parse-acceptance-criteria.ts';
import { PROVER } from '../../../src/formats/layout.ts';
import type { ProveResult } from '../../../src/formats/output/prove.ts';
import type { Proof } from '../../../src/formats/pack-proof-conditions.ts';
import type { TestConfig } from '../../../src/formats/test-config-and-results.ts';
import { distFile } from '../../../src/process/package-paths-and-version.ts';
import { type ProveOf, prove } from '../../../src/proof/prove-pack/prove.ts';
import { openRepository } from '../../../src/workspace/git/open-repository.ts';
import type { Repository } from '../../../src/workspace/git/run-git.ts';
import { git as run } from '../../helpers/git-repositories.ts';
import { judgedCriterion } from '../../helpers/sample-criteria.ts';
import { sampleState } from '../../helpers/sample-values.ts';

/** A commit is a submodule; null removes a file. */
export type Files = Readonly<Record<string, string | Buffer | { readonly commit: string } | null>>;

export const RUN = 'run-20260131-142233';

export const BRIEFING = `# Greetings

## Acceptance criteria
- AC-1: \`greet("Ann")\` gives \`hello Ann\`.
- AC-2 (look): It is friendly.
`;
export const BASE: Files = {
  'package.json': '{"type":"module"}\n',
  'greet.js': 'export const greet = () => "hi";\n',
};
export const RESULT: Files = { 'greet.js': 'export const greet = name => "hello " + name;\n' };
export const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { greet } from './greet.js';
test('AC-1: greets by name', () => assert.equal(greet('Ann'), 'hello Ann'));
`;
export const COMMAND = 'node --test --test-reporter=tap greet.test.js';

export function feedbackText(feedback: string, tree: string): string {
  const by = { who: 'Ann', through: 'terminal', nonce: 'a'.repeat(32) } as const;
  const content = { asked_at: '2026-01-31T15:00:00.000Z', tree, feedback, comments: [] };
  return decisionText({ run_id: RUN, key: 'a'.repeat(16) }, 'feedback', content, by);
}

export interface Sample {
  readonly base?: Files;
  /** Changes to the base; null removes a file. */
  readonly result?: Files;
  /** Below verifier/tests. */
  readonly tests?: Files;
  readonly briefing?: string;
  /** Requested changes, in order. */
  readonly feedback?: readonly string[];
  readonly config?: Partial<TestConfig>;
  /** What the pack claims about each criterion that is not `look`. */
  readonly claim?: JudgedCriterion['status'];
  readonly proof?: Partial<Proof>;
  /** Changes the files of the pack. */
  readonly lie?: (pack: {
    evidence: Evidence;
    criteria: CriteriaReport;
    files: Record<string, string | Buffer>;
  }) => void;
}

export interface SamplePack {
  readonly top: string;
  readonly clone: Repository;
  readonly git: (...args: string[]) => string;
  /** The commit of the pack. */
  readonly pack: string;
  prove(more?: Partial<ProveOf>): Promise<ProveResult>;
  /** The verdict and reason of AC-1. */
  verdict(more?: Partial<ProveOf>): Promise<string>;
}

export async function samplePack(of: Sample = {}): Promise<SamplePack> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dure-pack-')));
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));
  const root = join(top, 'project');
  await mkdir(root);
  const git = (...args: string[]): string => run(root, ...args);
  git('init', '-q', '-b', 'main');
  let n = 0;
  /** A tree with these files in addition to those of another tree. */
  const treeOf = async (from: string | null, files: Files): Promise<string> => {
    const aside = join(top, `aside-${n++}`);
    await mkdir(aside);
    const env = { ...process.env, GIT_INDEX_FILE: `${aside}.index`, GIT_DIR: join(root, '.git') };
    const on = (...args: string[]) =>
      execFileSync('git', ['--work-tree=.', ...args], { cwd: aside, env, encoding: 'utf8' }).trim();
    on('read-tree', ...(from ? [from] : ['--empty']));
    for (const [path, bytes] of Object.entries(files)) {
      if (bytes === null) on('rm', '-q', '--cached', '--', path);
      else if (!Buffer.isBuffer(bytes) && typeof bytes === 'object')
        on('update-index', '--add', '--cacheinfo', `160000,${bytes.commit},${path}`);
      else {
        await mkdir(dirname(join(aside, path)), { recursive: true });
        await writeFile(join(aside, path), bytes);
        on('update-index', '--add', '--', path);
      }
    }
    return on('write-tree');
  };
  const commit = (tree: string, parent: string | null): string =>
    git('commit-tree', tree, '-m', 'x', ...(parent ? ['-p', parent] : []));

  const base = commit(await treeOf(null, of.base ?? BASE), commit(await treeOf(null, {}), null));
  git('reset', '-q', '--hard', base);
  const head = commit(await treeOf(base, of.result ?? RESULT), base);
  const tree = git('rev-parse', `${head}^{tree}`);
  const tests = of.tests ?? { 'greet.test.js': TEST };
  const config: TestConfig = {
    test_framework: 'custom',
    test_command: COMMAND,
    test_directory: '.',
    timeout_ms: 300_000,
    coverage: false,
    ...of.config,
  };
  const verifier = await treeOf(null, {
    ...Object.fromEntries(Object.entries(tests).map(([path, text]) => [`tests/${path}`, text])),
    'test-config.json': JSON.stringify(config),
  });
  const briefing = of.briefing ?? BRIEFING;
  const requests = (of.feedback ?? []).map(feedback => ({ feedback, comments: [] }));
  const list = [
    ...(parseCriteria(briefing) as { list: readonly Criterion[] }).list,
    ...requests.flatMap((each, at) => feedbackCriteria(at + 1, each)),
  ];
  const between = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', base, head];
  const evidence = evidenceOf({
    state: { ...sampleState(), run_id: RUN, base },
    files_changed: git(...between, '--name-only', '-z')
      .split('\0')
      .filter(Boolean),
    proven: null,
    test_command: config.test_command,
    tests_tree: verifier,
    equal_names: [],
    laid_in: Object.keys(tests).sort(),
    command_inputs: [],
    test_author: 'verifier (claude)',
    log: '1 0123456789abcdef',
    commit: head,
    tree,
  });
  const criteria: CriteriaReport = {
    run_id: RUN,
    base,
    tree,
    tests_tree: verifier,
    change: null,
    sha256: createHash('sha256').update(criteriaText(list)).digest('hex'),
    criteria: list.map(each =>
      judgedCriterion({
        ...each,
        status: each.kind === 'look' ? 'look' : (of.claim ?? 'confirmed'),
        reason: null,
      }),
    ),
  };
  const proof: Proof = {
    version: 1,
    run_id: RUN,
    dure: '0.1.0',
    setup: null,
    directory: '.',
    copy: [],
    network: false,
    environment: { node: process.versions.node, os: process.platform, arch: process.arch },
    ...of.proof,
  };
  const patch = execFileSync('git', [...between, '-p', '--binary', '--full-index', '--no-color'], {
    cwd: root,
  });
  const files: Record<string, string | Buffer> = {
    'changes.patch': patch,
    'briefing/refined.md': briefing,
    'proof.json': JSON.stringify(proof),
    ...Object.fromEntries(
      requests.map(({ feedback }, at) => [`feedback-00${at + 1}.txt`, feedbackText(feedback, tree)]),
    ),
  };
  of.lie?.({ evidence, criteria, files });
  const sealed = {
    ...Object.fromEntries(Object.entries(tests).map(([path, text]) => [`verifier/tests/${path}`, text])),
    'verifier/test-config.json': JSON.stringify(config),
    'evidence.json': JSON.stringify(evidence),
    'criteria.json': JSON.stringify(criteria),
  };
  const pack = commit(await treeOf(null, { ...sealed, ...files }), head);
  git('update-ref', `refs/dure/packs/${RUN}`, pack);
  const clone = await openRepository(root, '');
  const sample: SamplePack = {
    top,
    clone,
    git,
    pack,
    prove: more =>
      prove({
        clone,
        source: { commit: pack },
        files: {},
        quick: false,
        rounds: 2,
        budget_s: 600,
        only: [],
        prover: distFile(PROVER),
        sandbox: 'auto',
        trusted: null,
        keep: false,
        signal: new AbortController().signal,
        env: { ...process.env, XDG_STATE_HOME: join(top, 'state') },
        ...more,
      }),
    async verdict(more) {
      const { criteria } = await sample.prove(more);
      const { verdict, reason } = criteria.find(({ id }) => id === 'AC-1')!;
      return reason === null ? verdict : `${verdict}: ${reason}`;
    },
  };
  return sample;
}
