/**
 * The embedded backend: plays a cassette instead of asking a model, and says so. It needs no network, no key and no
 * consent; everything around it is real. A session is `rehearsal-<launch>-<part>`, so that an agent that is resumed
 * after a question goes on in the part it began.
 */
import type { Backend } from '../../index.ts';
import { distFile } from '../../package-root.ts';

export const rehearsal: Backend = {
  name: 'rehearsal',
  stream: 'claude',
  needsConsent: false,
  start({ role, mode, launch, part, runDir, resume, cassette }) {
    const session = resume?.session ?? `rehearsal-${launch}-${part}`;
    const begun = /^rehearsal-\d+-(\d+)$/.exec(session)?.[1] ?? String(part);
    return {
      session,
      argv: [
        process.execPath,
        distFile('rehearse.cjs'),
        ...['--run-dir', runDir, '--role', role, '--mode', mode, '--part', begun, '--session', session],
        ...(cassette === null ? [] : ['--cassette', cassette]),
        ...(resume ? ['--answer', resume.answer] : []),
      ],
    };
  },
};
