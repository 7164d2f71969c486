/** The English messages of `dure verify` and `dure prove` about decisions and their signatures. */
import type { RecordedDecision } from '../../formats/output/common.ts';
import type { PackDecision } from '../../formats/output/prove.ts';

export const enRecordedDecisions = {
  unsigned: (why: string) => `The decision is not signed: ${why}`,
  recorded: 'Recorded decisions:',
  verified: (d: RecordedDecision) =>
    [
      `${d.file} (line ${d.seq} of events.log): ${d.who === null ? 'unknown person' : `${d.who} (${d.through})`}`,
      `proof ${d.proof}`,
      d.key !== null
        ? `signed by ${d.key}${d.signature === 'valid' ? '' : `, signature ${d.signature}`}`
        : `not signed${d.unsigned === null ? '' : `: ${d.unsigned}`}`,
    ].join(', '),
  inPack: ({ id, who, through, key, signer }: PackDecision) =>
    [
      `${id === 'approve' ? 'approved' : id.startsWith('feedback-') ? `${id}: changes requested` : `${id}: answered`} by ${who === null ? 'an unknown person' : `${who} (${through})`}`,
      key === null ? 'not signed' : `signed by ${key} (${signer ?? 'unknown key'})`,
    ].join(', '),
};
