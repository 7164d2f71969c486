/** The Korean messages of `dure verify` and `dure prove` about decisions and their signatures. */
import type { enRecordedDecisions } from './en-decision-proofs.ts';

const PROOFS = {
  valid: '증명이 유효함',
  'not valid': '증명이 유효하지 않음',
  'not kept': '파일이 남아 있지 않음',
  'not checked': '증명을 확인하지 않음',
};
const SIGNATURES = {
  valid: '',
  none: '',
  'not valid': ' (서명이 유효하지 않음)',
  'not kept': ' (서명을 확인하지 않음)',
};

export const koRecordedDecisions: typeof enRecordedDecisions = {
  unsigned: why => `결정에 서명하지 못했습니다: ${why}`,
  recorded: '기록된 결정:',
  verified: d =>
    [
      `${d.file} (${d.seq}번째 줄): ${d.who === null ? '결정한 사람을 알 수 없음' : `${d.who} (${d.through})`}`,
      PROOFS[d.proof],
      d.key !== null
        ? `${d.key} 키로 서명함${SIGNATURES[d.signature]}`
        : `서명 없음${d.unsigned === null ? '' : `: ${d.unsigned}`}`,
    ].join(', '),
  inPack: ({ id, who, through, key, signer }) =>
    [
      `${id === 'approve' ? '승인' : id.startsWith('feedback-') ? `${id} 수정 요청` : `${id} 답변`}: ${who === null ? '알 수 없는 사람' : `${who} (${through})`}`,
      key === null ? '서명 없음' : `${key} 키로 서명함 (${signer ?? '알 수 없는 키'})`,
    ].join(', '),
};
