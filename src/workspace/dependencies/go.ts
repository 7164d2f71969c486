/** Go modules. A project that carries its modules in `vendor/`, or needs none, has nothing to fetch. */
import type { Ecosystem } from './ecosystem.ts';

export const go: Ecosystem = {
  name: 'go',
  family: 'go',
  async propose(folder) {
    const file = folder.has('go.work') ? 'go.work' : 'go.mod';
    const text = await folder.text(file);
    if (text === null || folder.has('vendor')) return null;
    if (file === 'go.mod' && !/^require\b/m.test(text)) return null;
    return { command: 'go mod download', because: file, isRoot: true };
  },
};
