/** Refusals of the server in Korean. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { koHttpRefusals } from '../../src/words/ko-http-refusals.ts';

const SERVER = join(import.meta.dirname, '../../src/server');
/** Codes that only sockets of other programs see, or that only a server that does not start reports. */
const NOT_ON_PAGES = ['E_NOT_SUBSCRIBED', 'E_PORT'];

it('every code with which the server refuses a request has a Korean message', () => {
  const used = (readdirSync(SERVER, { recursive: true }) as string[])
    .filter(name => name.endsWith('.ts'))
    .flatMap(name => [
      ...readFileSync(join(SERVER, name), 'utf8').matchAll(/HttpRefusal\(\s*[^,()]+,\s*'(E_\w+)'/g),
    ])
    .map(([, code]) => code!);
  const codes = [...new Set([...used, 'E_INTERNAL'])].filter(code => !NOT_ON_PAGES.includes(code));
  expect(Object.keys(koHttpRefusals).sort()).toEqual(codes.sort());
});
