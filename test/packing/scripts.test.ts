/** npm asks people to allow scripts of a package that run when it is installed; Dure needs none. */
import { expect, it } from 'vitest';
import pjson from '../../package.json' with { type: 'json' };

it('nothing of the package runs when it is installed', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(pjson.scripts).filter(name => atInstall.includes(name))).toEqual([]);
});
