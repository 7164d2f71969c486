/**
 * An npm registry on the loopback interface. It offers the packages in node_modules, as tarballs packed on demand, and
 * logs requests. npm, pnpm and yarn install from it as they would from the real one.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../../src/process/package-paths-and-version.ts';
import { type Installed, installedPackages } from './installed-packages.ts';
import { packument, tarballPath, type Version, versionOf } from './packument.ts';

export interface NpmRegistry {
  /** Without a trailing slash. */
  readonly url: string;
  /** The requested paths, in order. */
  readonly asked: readonly string[];
  /** Adds the package in a folder, with its package.json; a later version becomes `latest`. */
  publish(folder: Installed): void;
  close(): Promise<void>;
}

export async function npmRegistry(): Promise<NpmRegistry> {
  const packages = await installedPackages(join(packageRoot, 'node_modules'));
  const packed = new Map<string, Promise<Version>>();
  const asked: string[] = [];
  const versionIn = (installed: Installed): Promise<Version> => {
    const known = packed.get(installed.folder) ?? versionOf(installed, name => packages.has(name));
    packed.set(installed.folder, known);
    return known;
  };
  const answer = async (path: string): Promise<Buffer | string | null> => {
    const installed = packages.get(path.slice(1));
    if (installed) return JSON.stringify(packument(await Promise.all(installed.map(versionIn)), url()));
    const wanted = (packages.get(path.slice(1, path.indexOf('/-/'))) ?? []).find(
      ({ manifest }) => tarballPath(manifest.name, manifest.version) === path,
    );
    return wanted ? (await versionIn(wanted)).tarball : null;
  };

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', url()).pathname);
    asked.push(path);
    answer(path).then(
      body => {
        response.statusCode = body === null ? 404 : 200;
        response.setHeader(
          'content-type',
          body instanceof Buffer ? 'application/octet-stream' : 'application/json',
        );
        response.end(body ?? '{"error":"not found"}');
      },
      (error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  return {
    url: url(),
    asked,
    publish(one) {
      packages.set(one.manifest.name, [...(packages.get(one.manifest.name) ?? []), one]);
    },
    close: () =>
      new Promise(closed => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
