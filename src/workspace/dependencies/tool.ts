/** A package manager that the person does not have, fetched once from the registry and kept in Dure's state folder. */
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { erase } from '../../process/erase.ts';
import { locked } from '../lock.ts';
import { isFolder } from './copy.ts';
import type { Session } from './session.ts';
import { quoted } from './shell-words.ts';

/** Puts `spec`, e.g. `pnpm@9.1.0`, first on the session's PATH. Null when it is there. */
export async function provideTool(session: Session, spec: string): Promise<string | null> {
  const { stateFolder } = session.installation;
  const name = spec.replace(/[^\w.@-]/g, '-').replace(/^-/, '');
  const folder = join(
    stateFolder,
    'tools',
    `${name}-${createHash('sha256').update(spec).digest('hex').slice(0, 8)}`,
  );
  const problem = await locked(`${folder}.lock`, async () => {
    if (await isFolder(folder)) return null;
    const making = `${folder}.making`;
    await erase(making);
    await mkdir(making, { recursive: true });
    await writeFile(join(making, 'package.json'), '{ "private": true }\n');
    session.say(`$ npm install ${spec} (once, for this and later set-ups)`);
    const failed = await session.fetch(`npm install --no-package-lock ${quoted(spec)}`, making, {
      writable: [making],
    });
    if (failed !== null) return failed;
    await rename(making, folder);
    return null;
  });
  if (problem === null) session.programs.unshift(join(folder, 'node_modules', '.bin'));
  return problem === null ? null : `npm install ${spec}: ${problem}`;
}
