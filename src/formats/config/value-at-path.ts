/** Reads and replaces the value of a setting by its path, such as `timeouts.builder`. This module is pure. */
import { objectAt } from '../schema/json-access.ts';

type Tree<Value> = Readonly<Record<string, Value>>;

/** Undefined if the setting is missing. */
export const valueAt = (tree: unknown, path: string): unknown =>
  path.split('.').reduce((at, key) => objectAt(at)[key], tree);

/** Returns a copy with one value replaced; JSON omits a key whose value is undefined. */
export function withValue<Value>(tree: Tree<Value>, path: string, value: Value): Record<string, Value> {
  const [key, ...rest] = path.split('.') as [string, ...string[]];
  const below = objectAt(tree[key]) as Tree<Value>;
  return { ...tree, [key]: rest.length === 0 ? value : (withValue(below, rest.join('.'), value) as Value) };
}
