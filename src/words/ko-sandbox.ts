/** Korean messages about sandboxes. */
import type { enSandbox } from './en-sandbox.ts';

export const koSandbox: typeof enSandbox = {
  inside: what => `샌드박스 안에서 (${what})`,
  without: why => `테스트가 샌드박스 없이 실행되었습니다: ${why}.`,
  agentsWithout: '에이전트: 샌드박스 없이, 사용자 권한으로.',
};
