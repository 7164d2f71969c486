/**
 * The built-in backend that plays a cassette instead of calling a model, and says so. It needs no network, key or
 * consent; everything else in the run is real. A session is named `rehearsal-<launch>-<part>`, so that an agent resumed
 * after a question continues its part.
 */
import { isAbsolute } from 'node:path';
import type { Backend } from '../../index.ts';
import { distFile } from '../../process/package-paths-and-version.ts';

export const rehearsal = {
  name: 'rehearsal',
  stream: 'claude',
  needsConsent: false,
  start({ role, mode, launch, part, runDir, resume, cassette }) {
    const session = resume?.session ?? `rehearsal-${launch}-${part}`;
    const firstPart = /^rehearsal-\d+-(\d+)$/.exec(session)?.[1] ?? String(part);
    return {
      session,
      argv: [
        process.execPath,
        distFile('rehearse.cjs'),
        ...['--run-dir', runDir, '--role', role, '--mode', mode, '--part', firstPart, '--session', session],
        ...(cassette === null ? [] : ['--cassette', cassette]),
        ...(resume ? ['--answer', resume.answer] : []),
      ],
      sandbox: { readable: cassette !== null && isAbsolute(cassette) ? [cassette] : [] },
    };
  },
} satisfies Backend;
