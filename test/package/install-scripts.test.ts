/** npm asks for permission to run install scripts, so Dure has none. */
import { expect, it } from 'vitest';
import pjson from '../../package.json' with { type: 'json' };

it('the package has no install scripts', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(pjson.scripts).filter(name => atInstall.includes(name))).toEqual([]);
});
