/** Without file arguments, Node's test runner searches every folder, and it has no setting to exclude one. */
import { scriptsOf } from '../../dependencies/node-project.ts';
import { packageOf, type Tool } from './tool.ts';

export const nodeTest: Tool = files => {
  const bare = Object.entries(scriptsOf(packageOf(files))).find(([, line]) =>
    /\bnode\b[^&|;]*--test(\s+-\S+)*\s*($|[&|;])/.test(line),
  );
  if (!bare) return null;
  const add = `the folder of your tests to the script ${bare[0]}, as in: node --test "test/**/*.test.js"`;
  return { tool: 'node --test', is: 'needed', file: 'package.json', add };
};
