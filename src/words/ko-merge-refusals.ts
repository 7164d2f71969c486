/**
 * Translates into Korean why an approval or a rebase was refused. The reasons are recorded in English. Messages from
 * git, hooks and gh are not translated.
 */
export const koMergeReason = (reason: string): string =>
  KO_MERGE_SENTENCES.reduce((text, [english, korean]) => text.replace(english, korean), reason);

export const KO_MERGE_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/, and (\d+) more\b/g, ' 외 $1개'],
  [
    /^the approval was for tree (\S+), but the pack has (\S+)$/,
    '승인한 트리는 $1이지만 검토 자료의 트리는 $2입니다',
  ],
  [
    /^your working tree is not on any branch \(its HEAD is detached\), so a merge would not be kept\. Check out the target branch, or create only the branch with (`[^`]+`)\./,
    '사용자의 작업 트리가 어떤 브랜치에도 있지 않아(HEAD가 분리됨) 병합해도 남지 않습니다. 병합할 브랜치를 체크아웃하거나, $1 명령으로 결과의 브랜치만 만드세요.',
  ],
  [
    /^a (\S+|`git am`)(?: session)? is in progress in your working tree\. Finish it, then run (`[^`]+`) again\./,
    '사용자의 작업 트리에서 $1 작업이 진행 중입니다. 끝낸 뒤 $2 명령을 다시 실행하세요.',
  ],
  [
    /^your working tree has unresolved conflicts\. Resolve them, then run (`[^`]+`) again\./,
    '사용자의 작업 트리에 해결하지 않은 충돌이 있습니다. 해결한 뒤 $1 명령을 다시 실행하세요.',
  ],
  [
    /^another git process is running in your working tree, or one was killed and left (.+?) behind\. If no git process is running, remove the file, then run `[^`]+` again\.$/,
    '사용자의 작업 트리에서 다른 git이 작업 중이거나, 강제로 종료되어 $1 파일을 남겼습니다. 작업 중인 git이 없으면 그 파일을 지우고 다시 승인하세요.',
  ],
  [
    /^your working tree is no longer on (\S+)\. Check out \S+, then run (`[^`]+`) again\./,
    '병합하는 동안 사용자의 작업 트리가 $1 브랜치를 벗어났습니다. $1 브랜치를 체크아웃한 뒤 $2 명령을 다시 실행하세요.',
  ],
  [
    /^(\S+) moved to (\w+) during the merge\. Run (`[^`]+`) again\./,
    '병합하는 동안 $1 브랜치가 $2(으)로 옮겨졌습니다. $3 명령을 다시 실행하세요.',
  ],
  [
    /^(\S+) was deleted during the merge\. Run (`[^`]+`) again\./,
    '병합하는 동안 $1 브랜치가 삭제되었습니다. $2 명령을 다시 실행하세요.',
  ],
  [
    /^(\S+) was removed during the merge, so another program may have changed the index\. Run (`[^`]+`) again\./,
    '병합하는 동안 $1 파일이 지워져, 다른 프로그램이 인덱스를 바꾸었을 수 있습니다. $2 명령을 다시 실행하세요.',
  ],
  [
    /^These files were written and were left as they are, because HEAD has moved: (.+)\. Run (`[^`]+`) to see them\.$/m,
    'HEAD가 움직였으므로, 쓴 파일을 그대로 두었습니다: $1. $2 명령으로 확인하세요.',
  ],
  [
    /^(\S+) is at (\w+), but the result was tested on (\w+)\. (`[^`]+`) rebases it and tests it again; then approve it\./,
    '$1 브랜치는 지금 $2에 있지만, 결과는 $3에서 테스트했습니다. $4 명령으로 리베이스하고 다시 테스트한 뒤 승인하세요.',
  ],
  [
    /^(\S+) has no commits\. Create only the branch with (`[^`]+`)\./,
    '$1 브랜치에 커밋이 없습니다. $2 명령으로 결과의 브랜치만 만드세요.',
  ],
  [
    /^your working tree is sparse and leaves out files that the result changes: (.+)\. Add them with (`[^`]+`), or create only the branch with (`[^`]+`)\./,
    '사용자의 작업 트리가 일부 파일만 담고 있어서(sparse) 결과가 바꾸는 파일이 빠져 있습니다: $1. $2 명령으로 추가하거나, $3 명령으로 결과의 브랜치만 만드세요.',
  ],
  [
    /^these git settings have changed since the run began: (.+)\. They name programs that run when git writes files\. Restore them with (`[^`]+`), or create only the branch with (`[^`]+`)\./,
    '실행이 시작된 뒤에 git 설정이 바뀌었습니다: $1. 이 설정은 git이 파일을 쓸 때 실행할 프로그램을 정합니다. $2 명령으로 되돌리거나, $3 명령으로 결과의 브랜치만 만드세요.',
  ],
  [
    /^your versions of these files differ from those that the run started from: (.+)\. /,
    '실행을 시작할 때와 내용이 다른 파일이 있습니다: $1. ',
  ],
  [
    /^the staged versions of these files differ from those that the run started from: (.+)\. /,
    '스테이징한 내용이 실행을 시작할 때와 다른 파일이 있습니다: $1. ',
  ],
  [
    /^these submodules are not at the commits that the result specifies: (.+)\. Check out those commits in them, or create only the branch with (`[^`]+`)\.$/,
    '서브모듈이 결과에 기록된 커밋에 있지 않습니다: $1. 그 커밋을 서브모듈에서 체크아웃하거나, $2 명령으로 결과의 브랜치만 만드세요.',
  ],
  [
    /Run (`[^`]+`) to apply the result to your versions and test it again; then approve it\.$/,
    '$1 명령으로 결과를 그 위에 적용해 다시 테스트한 뒤 승인하세요.',
  ],
  [
    /Stash them with (`[^`]+`), then run (`[^`]+`) again\.$/,
    '$1 명령으로 스태시한 뒤 $2 명령을 다시 실행하세요.',
  ],
  [
    /^these files differ from the result although git has just written them: (.+)\. Either another program changed them at that moment \(its version was kept\), or one of your git filters does not restore the content that it converts\. Run (`[^`]+`) to see them, then run (`[^`]+`) again\./,
    'git이 방금 쓴 파일인데도 결과와 내용이 다릅니다: $1. 다른 프로그램이 그 순간에 바꾸었거나(바뀐 그대로 두었습니다), git 필터가 변환한 내용을 되돌리지 못합니다. $2 명령으로 확인한 뒤 $3 명령을 다시 실행하세요.',
  ],
  [
    /^These files were written and could not be restored: (.+)\. Run (`[^`]+`) again to finish the merge, or (`[^`]+`) with their names to get your versions back\.$/m,
    '쓴 뒤에 되돌리지 못한 파일이 있습니다: $1. $2 명령을 다시 실행해 병합을 끝내거나, $3 명령에 파일 이름을 주어 원래 파일을 복원하세요.',
  ],
  [
    /^these git hooks have changed since the run began: (.+?)\. (?=To approve)/,
    '실행이 시작된 뒤에 git 훅이 바뀌었습니다: $1. ',
  ],
  [
    /^the result changes these git hooks, so they do not run on it: (.+?)\. (?=To approve)/,
    '결과가 git 훅을 바꾸므로 그 훅을 실행하지 않습니다: $1. ',
  ],
  [/^your hook left an empty commit message\.$/, '훅이 커밋 메시지를 비웠습니다.'],
  [/^your (\S+) hook failed:$/m, '$1 훅이 실패했습니다:'],
  [
    /^your pre-commit hook changes (.+), and the tests have not run with these changes\. Ask for this change with (`[^`]+`)\./,
    'pre-commit 훅이 $1 파일을 바꾸지만, 테스트는 그 내용으로 실행되지 않았습니다. $2 명령으로 이 변경을 요청하세요.',
  ],
  [
    /^The content of (.+) after the hook is saved in (`[^`]+`)\.$/m,
    '훅이 실행되는 동안 $1 파일에 쓰인 내용은 $2에 남아 있습니다.',
  ],
  [
    /^These files changed while the hook ran and were left as they are: (.+)\. If you changed them, run (`[^`]+`) again\.$/m,
    '훅이 실행되는 동안 바뀐 파일이 있으며, 바뀐 그대로 두었습니다: $1. 직접 바꾼 것이라면 $2 명령을 다시 실행하세요.',
  ],
  [/To approve without hooks: (`[^`]+`)\.$/, '훅 없이 승인하려면: $1.'],
  [
    /^git does not know the name and email address for your commits\. Run (`[^`]+`) and (`[^`]+`), then run (`[^`]+`) again\./,
    'git이 커밋에 쓸 이름을 모릅니다. $1 명령과 $2 명령을 실행한 뒤 $3 명령을 다시 실행하세요.',
  ],
  [
    /^git could not sign the commit \(commit\.gpgSign is true\): /,
    'git이 커밋에 서명하지 못했습니다(commit.gpgSign이 true): ',
  ],
  [
    /Run (`[^`]+`) in a shell that can sign commits\. There, (`[^`]+`) loads an SSH key and (`[^`]+`) lets GnuPG ask for a passphrase\.$/,
    '서명할 수 있는 셸에서 $1 명령으로 승인하세요. 거기에서 $2 명령은 SSH 키를 불러오고, $3 명령은 GnuPG가 암호를 물을 수 있게 합니다.',
  ],
  [
    /^the repository has no remote for a pull request\. Add one with (`[^`]+`), or create only the branch with (`[^`]+`)\./,
    '풀 리퀘스트를 열 원격 저장소가 없습니다. $1 명령으로 추가하거나, $2 명령으로 브랜치만 남기세요.',
  ],
  [
    /^the branch (\S+) on (\S+) has commits that this run did not push, so it was left as it is\. Merge it there, or push it under another name and run (`[^`]+`); then run (`[^`]+`) again\.$/,
    '$2에 있는 $1 브랜치에 이 실행이 푸시하지 않은 커밋이 있어서 그대로 두었습니다. 거기에서 병합하거나, 다른 이름으로 남긴 뒤 $3 명령을 실행하고, $4 명령을 다시 실행하세요.',
  ],
  [/^gh says: /, 'gh의 메시지: '],
  [
    /^The branch (\S+) was pushed to (\S+)\. Open (\S+), or approve again once gh works\.$/m,
    '$1 브랜치를 $2에 푸시했습니다. $3 페이지를 열거나, gh를 쓸 수 있게 된 뒤 다시 승인하세요.',
  ],
  [
    /^The branch (\S+) was pushed to (\S+)\. Open a pull request in a browser, or approve again once gh works\.$/m,
    '$1 브랜치를 $2에 푸시했습니다. 저장소 페이지에서 풀 리퀘스트를 열거나, gh를 쓸 수 있게 된 뒤 다시 승인하세요.',
  ],
  [
    /^These settings or files have changed since (\S+) began, possibly because of an agent:$/m,
    '$1 실행이 시작된 뒤에 다음 항목이 바뀌었습니다. 에이전트가 바꾸었을 수 있습니다:',
  ],
  [
    /^None of the Verifier's tests ran on this result, so none can be committed with it\.$/,
    '이 결과에서 실행된 베리파이어의 테스트가 없어 함께 반영할 수 없습니다.',
  ],
  [
    /^Sealed results are missing from the git repository, or were changed there, and the run has no complete copy of them: (.+)\.$/,
    '봉인된 결과가 git 저장소에서 사라졌거나 바뀌었고, 실행 폴더에도 온전한 사본이 없습니다: $1.',
  ],
  [/^git (\S+) failed: /, 'git $1 명령이 실패했습니다: '],
  [/^(\S+) already has the changes of (\S+)$/, '$1 브랜치에는 이미 $2 실행의 변경이 있습니다'],
];
