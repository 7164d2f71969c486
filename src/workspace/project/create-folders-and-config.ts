/** Creates `.dure/` in a project, with its folders and config files. */

import { CONFIG_NAMES, type ConfigName, configFiles } from '../../formats/config/config.ts';
import { createFolder } from '../../formats/file-system/create-folder.ts';
import { type ProjectFiles, projectFiles } from '../../formats/layout.ts';
import { create } from '../../formats/read-and-write-files.ts';
import { type Json, jsonText } from '../../formats/schema/strict-json.ts';

/**
 * Creates `.dure/` and missing config files. A new global.json has the settings `global`, and the defaults of all
 * others. Returns the names of the config files that it wrote.
 */
export async function createProjectFolders(
  root: string,
  global: { readonly [key: string]: Json } = {},
): Promise<{ project: ProjectFiles; written: ConfigName[] }> {
  const project = projectFiles(root);
  await createFolder(project.config);
  await create(project.ignore, 'runs/\nshadow.git/\nserver/\n');
  // Prevents the project's style rules from applying to Dure's files, so that no style linter reports them.
  await create(project.editorConfig, 'root = true\n');
  const written: ConfigName[] = [];
  for (const name of CONFIG_NAMES) {
    const text = jsonText(configFiles[name].shape.parse(name === 'global' ? global : {}));
    if (await create(project.configOf(name), text)) written.push(name);
  }
  return { project, written };
}
