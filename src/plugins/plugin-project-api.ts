/** Gives the commands of a plugin access to the project. */
import { importRun } from '../core/run/record/import-run.ts';
import { runIds } from '../core/run/run-store.ts';
import { runFiles } from '../formats/layout.ts';
import { loadOrigin } from '../formats/load-run-files-fast.ts';
import type { Project } from '../index.ts';
import { findProject } from '../workspace/project/find-project.ts';
import { importSettings } from '../workspace/project/import-settings.ts';

export async function pluginProject(folder: string): Promise<Project> {
  const project = await findProject(folder);
  return {
    root: project.root,
    addSettings: (name, values) => importSettings(project, name, values),
    addRun: run => importRun(project, run, new Date()),
    async imported() {
      const ids = await runIds(project);
      const origins = await Promise.all(ids.map(id => loadOrigin(runFiles(project.run(id)).origin)));
      return new Set(origins.flatMap(origin => origin?.from ?? []));
    },
  };
}
