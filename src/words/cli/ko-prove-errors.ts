/** Korean errors of `dure bundle` and `dure prove`. */
import type { ErrorWords } from '../../errors.ts';

export const koProveErrors = {
  E_BUNDLE_SIGN: c => [
    `검토 자료에 서명하지 못했습니다: ${c.why}`,
    '`ssh-add`로 키를 불러오거나 서명 없이 쓰세요: `dure bundle --no-sign`.',
  ],
  E_PROVE_SOURCE: c => [
    `${c.source}: 실행, 번들, 병합 준비 자료 폴더, 이 저장소의 커밋 가운데 어느 것도 아닙니다.`,
    '저장소의 클론에서 `dure bundle`이 쓴 파일로 `dure prove`를 실행하세요.',
  ],
  E_PROVE_ACCEPT: c => [
    `${c.kind}: 받아들일 수 있는 판정이 아닙니다.`,
    '`--accept not-claimed`, `--accept could-not-run`, `--accept not-claimed,could-not-run` 가운데 하나를 쓰세요.',
  ],
  E_PROVE_CRITERION: c => [`자료에 ${c.criterion} 기준이 없습니다.`, `자료의 기준: ${c.known}.`],
  E_PROVE_BASE: c => [
    `자료의 기준 커밋이 이 클론에 없습니다: ${c.commits}.`,
    '그 커밋을 가져오거나, 이력이 담긴 번들을 요청하세요: `dure bundle --full`.',
  ],
  E_PROVE_PACK: c => [
    `자료를 읽을 수 없습니다: ${c.why}.`,
    '만든 사람에게 `dure bundle`로 새 파일을 만들어 달라고 요청하세요.',
  ],
  E_PROVE_DIFFERS: c => [
    `자료가 그 커밋과 맞지 않습니다: ${c.file} (${c.why}).`,
    'Dure가 만든 뒤에 바뀌었습니다. 신뢰하지 마세요.',
  ],
  E_PROVE_NO_TESTS: c => [
    `${c.run} 결과에서 실행한 테스트가 없어 다시 실행할 것이 없습니다.`,
    '변경 내용을 직접 확인하세요: 자료의 커밋에 `git show`를 실행하면 됩니다.',
  ],
  E_PROVE_SANDBOX: c => [
    `자료의 테스트를 실행할 샌드박스가 없습니다: ${c.why}.`,
    'bubblewrap을 설치하고(`apt install bubblewrap`) 사용자 네임스페이스를 허용하세요.',
    '일회용 컨테이너라면: `dure prove --sandbox none`. 그러면 테스트가 파일을 읽고 네트워크를 쓸 수 있습니다.',
  ],
  E_PROVE_REFUTED: c => [
    `${c.run} 자료의 주장이 여기서는 사실이 아닙니다: ${c.criteria}.`,
    '`--verbose`로 다시 실행해 테스트 출력을 확인하고, 자료를 만든 사람에게 알리세요.',
  ],
  E_PROVE_OPEN: c => [
    `${c.run} 자료의 일부를 확인하지 못했습니다: ${c.criteria}.`,
    '직접 판단하거나 `--accept not-claimed,could-not-run`으로 받아들이세요.',
    ...(c.quick ? ['반증 안 됨(NOT REFUTED)이면 `--quick` 없이 다시 실행하세요.'] : []),
  ],
  E_PROVE_INTERRUPTED: () => ['확인이 중단되었습니다. 남은 파일은 없습니다.', '다시 실행하세요.'],
} satisfies Partial<ErrorWords>;
