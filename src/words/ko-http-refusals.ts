/** Korean messages and suggestions, by code, for those refusals of the server that are not in errors.ts. */
export const koHttpRefusals = {
  E_BODY: ['요청 본문이 JSON이 아닙니다.'],
  E_CLOSING: ['서버가 종료되는 중입니다.'],
  E_CODE: ['코드가 틀렸거나, 만료되었거나, 이미 사용되었습니다.'],
  E_CONFIG: ['설정에 오류가 있습니다.'],
  E_CRP_UNKNOWN: ['그런 질문이 없습니다.'],
  E_INTERNAL: ['서버 내부 오류입니다.', '자세한 내용은 서버 로그 .dure/server/server.log를 보세요.'],
  E_NOT_FOUND: ['찾을 수 없습니다.'],
  E_NOT_READY: ['지금은 병합 준비 자료가 없습니다.'],
  E_NOT_SUBSCRIBED: ['먼저 실행을 구독하세요.'],
  E_PATH: ['올바른 파일 경로가 아닙니다.'],
  E_RATE: ['틀린 코드가 너무 많습니다. 1분 뒤에 다시 해 보세요.'],
  E_REQUEST: ['요청이 올바르지 않습니다.'],
  E_TOKEN: ['토큰이 없거나 틀렸습니다.'],
  E_TOO_LARGE: ['너무 커서 처리할 수 없습니다.'],
  E_TYPE: ['application/json으로 보내세요.'],
} satisfies Record<string, readonly [message: string, ...tryThis: string[]]>;

/** The compiler checks that every refusal has a Korean message. */
export type HttpRefusalCode = keyof typeof koHttpRefusals;
