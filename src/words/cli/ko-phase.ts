/** Where a run stands, in Korean: as on the pages, but for what a terminal says in other words. */
import { ko as pages } from '../ko.ts';

const phases: Readonly<Record<string, string>> = {
  waiting_human: '답변을 기다림',
  ready_for_merge: '병합 준비됨',
  starting: '시작하는 중',
  unreadable: '읽을 수 없음',
};

export const phase = (id: string): string => phases[id] ?? pages.phase(id);
