/**
 * The environment of a user of these registries: a home with package manager configuration, and on PATH the package
 * managers in Dure's devDependencies.
 */
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../../src/process/package-paths-and-version.ts';

export interface Person {
  readonly home: string;
  readonly env: Record<string, string>;
}

const PROGRAMS = {
  pnpm: 'pnpm/bin/pnpm.cjs',
  yarn: '@yarnpkg/cli-dist/bin/yarn.js',
} as const;
const YARN_CLASSIC = 'yarn/bin/yarn.js';

/** Only PATH, without the folders that test runners add, and the language. */
export async function personAt(
  top: string,
  registries: { readonly npm: string; readonly python?: string | undefined },
  yarn: 'berry' | 'classic' = 'berry',
): Promise<Person> {
  const home = join(top, 'home');
  const bin = join(top, 'bin');
  await mkdir(join(home, '.config', 'pip'), { recursive: true });
  await mkdir(bin);
  await writeFile(
    join(home, '.npmrc'),
    `registry=${registries.npm}/\naudit=false\nfund=false\nupdate-notifier=false\n`,
  );
  await writeFile(
    join(home, '.yarnrc.yml'),
    `npmRegistryServer: "${registries.npm}"\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\n`,
  );
  await writeFile(join(home, '.yarnrc'), `registry "${registries.npm}"\ndisable-self-update-check true\n`);
  if (registries.python !== undefined)
    await writeFile(join(home, '.config', 'pip', 'pip.conf'), `[global]\nindex-url = ${registries.python}\n`);
  for (const [name, program] of Object.entries({
    ...PROGRAMS,
    ...(yarn === 'classic' && { yarn: YARN_CLASSIC }),
  })) {
    // The way `npm install -g` installs it: a sandbox shows the targets of links on PATH.
    await symlink(join(packageRoot, 'node_modules', program), join(bin, name));
  }
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => !folder.includes('node_modules'));
  return {
    home,
    env: {
      HOME: home,
      PATH: [bin, ...path].join(delimiter),
      LANG: 'C.UTF-8',
      ...toolchains(),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A Person',
      GIT_AUTHOR_EMAIL: 'person@example.com',
      GIT_COMMITTER_NAME: 'A Person',
      GIT_COMMITTER_EMAIL: 'person@example.com',
    },
  };
}

/** Where rustup keeps the toolchains that its `cargo` on PATH starts; not in the new home. */
function toolchains(): Record<string, string> {
  const rustup = process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup');
  return existsSync(rustup) ? { RUSTUP_HOME: rustup } : {};
}
