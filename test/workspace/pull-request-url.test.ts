import { expect, test } from 'vitest';
import { newPullRequestUrl } from '../../src/workspace/merge/pull-request-url.ts';

const BRANCH = 'dure/run-20260131-142233';

test.each([
  ['git@github.com:ada/engine.git', `https://github.com/ada/engine/compare/main...${BRANCH}?expand=1`],
  [
    'https://token@github.example.com/ada/engine',
    `https://github.example.com/ada/engine/compare/main...${BRANCH}?expand=1`,
  ],
  [
    'ssh://git@gitlab.com:2222/group/sub/engine.git',
    'https://gitlab.com/group/sub/engine/-/merge_requests/new?merge_request%5Bsource_branch%5D=dure%2Frun-20260131-142233&merge_request%5Btarget_branch%5D=main',
  ],
  [
    'https://bitbucket.org/ada/engine.git',
    'https://bitbucket.org/ada/engine/pull-requests/new?source=dure%2Frun-20260131-142233&dest=main',
  ],
  ['https://codeberg.org/ada/engine.git', `https://codeberg.org/ada/engine/compare/main...${BRANCH}`],
  ['https://gitea.example.org/ada/engine', `https://gitea.example.org/ada/engine/compare/main...${BRANCH}`],
  ['https://git.example.org/ada/engine', null],
  ['/srv/git/engine.git', null],
  ['file:///srv/git/github.git', null],
])(
  'newPullRequestUrl returns the page for a new pull or merge request, if there is one: %s',
  (remote, page) => {
    expect(newPullRequestUrl(remote, BRANCH, 'main')).toBe(page);
  },
);

test('without a target branch, the URL names none, and the host uses its default branch', () => {
  expect(newPullRequestUrl('git@github.com:ada/engine.git', BRANCH, null)).toBe(
    `https://github.com/ada/engine/compare/${BRANCH}?expand=1`,
  );
});
