/** A project whose npm uses a loopback registry. */
import { type TestProject, testProject } from '../test-project.ts';
import { npmRegistry } from './npm.ts';

export interface RegistryProject {
  readonly project: TestProject;
  remove(): Promise<void>;
}

export async function registryProject(): Promise<RegistryProject> {
  const registry = await npmRegistry();
  const project = await testProject();
  project.env['npm_config_registry'] = registry.url;
  return {
    project,
    async remove() {
      await project.remove();
      await registry.close();
    },
  };
}
