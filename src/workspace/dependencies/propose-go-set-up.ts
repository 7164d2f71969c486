/** Proposes the set-up of Go modules. A project with a `vendor/` folder or without requirements needs none. */

import { quoteWord } from '../../formats/text/shell-words.ts';
import { goPackagePath } from './infer-go-import-path.ts';
import type { PackageManager } from './package-manager-interface.ts';

export const go: PackageManager = {
  name: 'go',
  family: 'go',
  async propose(folder) {
    const file = folder.has('go.work') ? 'go.work' : 'go.mod';
    const text = await folder.text(file);
    const path = folder.has('vendor') ? null : await goPackagePath(folder);
    // As of 1.16, Go does not run a package outside a module.
    if (path !== null)
      return {
        command: `test -f go.mod || { go mod init ${quoteWord(path)} && go mod tidy; }`,
        because: 'a Go package without go.mod',
        isRoot: true,
      };
    if (text === null || folder.has('vendor')) return null;
    if (file === 'go.mod' && !/^require\b/m.test(text)) return null;
    return { command: 'go mod download', because: file, isRoot: true };
  },
};
