/** Formats a summary of a plugin for a terminal: name, contributions and advice. */
import type { Inspection } from '../../formats/output/common.ts';
import { paint } from '../paint.ts';

export function pluginView({ plugin, plugin_version, gives, problems, advice }: Inspection): string {
  const mark = problems.length > 0 ? paint('red', '✖') : paint('green', '✔');
  return [
    `${mark} ${plugin}${plugin_version ? ` ${plugin_version}` : ''}`,
    ...Object.entries(gives).flatMap(([what, names]) =>
      names.length > 0 ? [`  ${what}: ${names.join(', ')}`] : [],
    ),
    ...advice.map(text => paint('yellow', `  ${text}`)),
  ].join('\n');
}
