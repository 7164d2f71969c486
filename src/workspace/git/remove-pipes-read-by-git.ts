/** Removes pipes that an agent created in place of files that git itself reads. Git would wait for them forever. */
import { programOutput } from '../../process/program-output.ts';

const READ_BY_GIT = ['-name', '.gitignore', '-o', '-name', '.gitattributes', '-o', '-path', '*/.git/*'];

const LIMIT_MS = 300_000;

/** `find` is much faster than Node. If `find` is missing or does not finish, git fails at its time limit. */
export const removePipesReadByGit = (folder: string): Promise<unknown> =>
  programOutput('find', [folder, '-type', 'p', '(', ...READ_BY_GIT, ')', '-delete'], { limitMs: LIMIT_MS });
