/** Builds the registry document for a package: its versions, each with tarball and checksums. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Installed, Manifest } from './installed-packages.ts';

const LARGEST = 400 * 1024 * 1024;
/** Old enough for package managers that skip recent versions. */
const PUBLISHED = '2020-01-01T00:00:00.000Z';
const EPOCH = new Date(PUBLISHED);

/** The same package gives the same bytes, because lockfiles contain checksums. */
async function tarballOf({ folder, manifest }: Installed): Promise<Buffer> {
  const place = await mkdtemp(join(tmpdir(), 'dure-tarball-'));
  try {
    const packed = join(place, 'package');
    await mkdir(packed);
    for (const name of (await readdir(folder)).sort())
      if (name !== 'node_modules' && name !== 'package.json')
        await symlink(join(folder, name), join(packed, name));
    const described = join(packed, 'package.json');
    await writeFile(described, JSON.stringify(manifest, null, 2));
    await utimes(described, EPOCH, EPOCH);
    await utimes(packed, EPOCH, EPOCH);
    const { stdout } = await promisify(execFile)('tar', ['-C', place, '-chf', '-', 'package'], {
      encoding: 'buffer',
      maxBuffer: LARGEST,
    });
    return await promisify(gzip)(stdout, { level: 1 });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

export interface Version {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
}

/** The path that npm's own registry uses; yarn treats any other one specially. */
export const tarballPath = (name: string, version: string): string =>
  `/${name}/-/${basename(name)}-${version}.tgz`;

/** `offered` says which names are available. */
export function packument(versions: readonly Version[], registry: string) {
  const { name } = versions[0]!.manifest;
  const numbers = versions.map(({ manifest }) => manifest.version);
  return {
    _id: name,
    name,
    'dist-tags': { latest: numbers.at(-1) },
    time: Object.fromEntries(['created', 'modified', ...numbers].map(key => [key, PUBLISHED])),
    versions: Object.fromEntries(
      versions.map(({ manifest, tarball }) => [
        manifest.version,
        {
          ...manifest,
          _id: `${name}@${manifest.version}`,
          dist: {
            tarball: `${registry}${tarballPath(name, manifest.version)}`,
            integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
            shasum: createHash('sha1').update(tarball).digest('hex'),
          },
        },
      ]),
    ),
  };
}

const ON_INSTALL = ['preinstall', 'install', 'postinstall'];

/**
 * The manifest as a registry publishes it, and as it is in the tarball: without optional packages that are not
 * `offered`.
 */
function published(manifest: Manifest, offered: (name: string) => boolean): Manifest {
  const optional = Object.keys(manifest.optionalDependencies ?? {});
  const missing = new Set(optional.filter(name => !offered(name)));
  const kept = (all: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !missing.has(name)));
  const scripted = ON_INSTALL.some(script => manifest.scripts?.[script] !== undefined);
  return {
    ...manifest,
    dependencies: kept(manifest.dependencies),
    optionalDependencies: kept(manifest.optionalDependencies),
    ...(scripted && { hasInstallScript: true }),
  };
}

export async function versionOf(
  { folder, manifest }: Installed,
  offered: (name: string) => boolean,
): Promise<Version> {
  const shown = published(manifest, offered);
  return { manifest: shown, tarball: await tarballOf({ folder, manifest: shown }) };
}
