/** Removes pipes that an agent created in place of files that git itself reads. Git would wait for them forever. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const READ_BY_GIT = ['-name', '.gitignore', '-o', '-name', '.gitattributes', '-o', '-path', '*/.git/*'];

/** `find` is much faster than Node. If `find` is missing, git fails at its time limit. */
export const removePipesReadByGit = (folder: string): Promise<unknown> =>
  promisify(execFile)('find', [folder, '-type', 'p', '(', ...READ_BY_GIT, ')', '-delete']).catch(() => {});
