/** Lists, for warnings, the files of the base commit that a run has to do without. */
import type { MissingFiles } from '../../formats/missing-after-set-up.ts';

/** Returns one entry for each submodule and filter. */
export const missingFilesText = ({ submodules, filters }: MissingFiles): string[] => [
  ...submodules.map(path => `submodule ${path}`),
  ...filters.map(({ name, files }) => `filter=${name} (${files} ${files === 1 ? 'file' : 'files'})`),
];
