/** Installs missing package managers once from the registry, into Dure's state folder. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFolder } from '../../../formats/file-system/path-status.ts';
import { removeFolder } from '../../../formats/file-system/remove-folder.ts';
import { replace } from '../../../formats/read-and-write-files.ts';
import { sha256 } from '../../../formats/text/sha256.ts';
import { quoteWord } from '../../../formats/text/shell-words.ts';
import { type InstallSession, lockedInSession } from '../sandboxed-install-session.ts';
import { yarnWrapperScript } from './yarn-wrapper-script.ts';

/** Puts `yarn` first on the session's PATH (see yarn-wrapper-script.ts). */
export async function provideYarn(session: InstallSession, release: string): Promise<void> {
  const name = `yarn-${sha256(release).slice(0, 8)}`;
  const bin = join(session.installation.stateFolder, 'tools', name, 'bin');
  await replace(join(bin, 'yarn'), yarnWrapperScript(release), 0o755);
  session.programs.unshift(bin);
}

/** Puts `spec`, e.g. `pnpm@9.1.0`, first on the session's PATH. Returns null on success, otherwise the problem. */
export async function provideTool(session: InstallSession, spec: string): Promise<string | null> {
  const { stateFolder } = session.installation;
  const name = spec.replace(/[^\w.@-]/g, '-').replace(/^-/, '');
  const folder = join(stateFolder, 'tools', `${name}-${sha256(spec).slice(0, 8)}`);
  const problem = await lockedInSession(session, `${folder}.lock`, async () => {
    if (await isFolder(folder)) return null;
    const making = `${folder}.making`;
    await removeFolder(making);
    await mkdir(making, { recursive: true });
    await writeFile(join(making, 'package.json'), '{ "private": true }\n');
    session.log(`$ npm install ${spec} (once, for this and later set-ups)`);
    const failed = await session.fetch(`npm install --no-package-lock ${quoteWord(spec)}`, making, {
      writable: [making],
    });
    if (failed !== null) return failed;
    await rename(making, folder);
    return null;
  });
  if (problem === null) session.programs.unshift(join(folder, 'node_modules', '.bin'));
  return problem === null ? null : `npm install ${spec}: ${problem}`;
}
