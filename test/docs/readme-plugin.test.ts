/** The plugin in the README works as it is written there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { testProject } from '../helpers/test-project.ts';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
/** The code blocks of the section on plugins, by language. */
const section = /^## Plugins\n([\s\S]*?)^## /m.exec(readme)![1]!;
const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(section)![1]!;

test('the plugin in the README can be linked with the command below it, and contributes its channel', async () => {
  const project = await testProject();
  try {
    await project.write('my-plugin/index.js', block('js'));
    await project.write('my-plugin/package.json', block('json'));
    const [, command] = /`dure (plugins link [^`]+)`/.exec(section)!;
    const env = { XDG_DATA_HOME: join(project.parentFolder, 'data') };
    const { code, json, stderr } = await project.dureJson(command!.split(' '), { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json).toMatchObject({ plugin: 'my-plugin', gives: { channels: ['file'] }, problems: [] });
  } finally {
    await project.remove();
  }
});
