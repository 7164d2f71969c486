/**
 * Every setting by name, with its meaning. The build replaces this module with its value, so that shell completion does
 * not load the schema library.
 */

import { jsonSchema } from '../schema/define-file.ts';
import { type ConfigName, configFiles } from './config.ts';

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
}

const below = (name: string, { properties, description = '' }: Node): [string, string][] =>
  properties
    ? Object.entries(properties).flatMap(([key, node]) => below(name ? `${name}.${key}` : key, node))
    : [[name, description]];

/** Settings of global.json have no prefix. */
export const SETTINGS: readonly (readonly [name: string, meaning: string])[] = (
  Object.keys(configFiles) as ConfigName[]
).flatMap(file => below(file === 'global' ? '' : file, jsonSchema(configFiles[file]) as Node));
