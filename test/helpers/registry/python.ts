/**
 * A Python package index (PEP 503) on the loopback interface. Its wheels are built at the start from Debian's
 * packages: pytest with its dependencies, pip, setuptools and wheel.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Why no index can be created on this machine; null if it can. */
export function whyNoPythonIndex(): string | null {
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0)
    return 'python3 with venv is not installed';
  if (!existsSync('/usr/lib/python3/dist-packages/_pytest'))
    return 'the Debian package python3-pytest is not installed';
  if (!existsSync('/usr/share/python-wheels'))
    return 'the Debian package python3-setuptools-whl is not installed';
  return null;
}

export interface PythonIndex {
  /** For `pip --index-url`. */
  readonly url: string;
  close(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('build-wheels.py', import.meta.url));

export async function pythonIndex(): Promise<PythonIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'dure-wheels-'));
  const { stdout } = await promisify(execFile)('python3', [SCRIPT, folder]);
  const wheels = new Map<string, Buffer>();
  for (const name of stdout.trim().split('\n')) wheels.set(name, await readFile(join(folder, name)));
  await rm(folder, { recursive: true, force: true });

  const server = createServer((request, response) => {
    const [, kind, name = ''] = decodeURIComponent(request.url ?? '/').split('/');
    const wheel = kind === 'wheels' ? wheels.get(name) : undefined;
    const links = [...wheels].filter(([file]) => kind === 'simple' && projectOf(file) === name).map(link);
    response.statusCode = wheel || links.length > 0 ? 200 : 404;
    response.setHeader('content-type', wheel ? 'application/octet-stream' : 'text/html');
    response.end(wheel ?? `<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    close: () =>
      new Promise(closed => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The normalized name of a wheel's project. */
const projectOf = (wheel: string): string =>
  wheel
    .split('-')[0]!
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-');

const link = ([name, wheel]: [string, Buffer]): string =>
  `<a href="/wheels/${encodeURIComponent(name)}#sha256=${createHash('sha256').update(wheel).digest('hex')}">${name}</a>`;
