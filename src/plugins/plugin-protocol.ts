/** Messages between Dure and the process of an installed plugin. All content is plain JSON. */
import type { Json } from '../formats/schema/strict-json.ts';

/** Location of a plugin's hook, as found by oclif. */
export interface HookFile {
  readonly root: string;
  readonly target: string;
  readonly identifier: string;
}

/** The keys that lead to a value: the hook's number, then keys in the value that it returned. */
export type Path = readonly string[];

export type Ask =
  | { readonly ask: 'describe' }
  | { readonly ask: 'call'; readonly path: Path; readonly args: readonly unknown[] }
  | { readonly ask: 'check'; readonly path: Path; readonly value: unknown };

/** `load` is the first message and is sent only once. `cancel` aborts the signal of a call, and is acknowledged. */
export type ToPlugin =
  | { readonly load: readonly HookFile[] }
  | { readonly id: number; readonly request: Ask }
  | { readonly cancel: number };

/** `fault` is an uncaught error; the process ends after sending it. */
export type FromPlugin =
  | { readonly id: number; readonly result: Json }
  | { readonly id: number; readonly error: string }
  | { readonly cancelled: number }
  | { readonly fault: string };

/** A function in the plugin. */
export interface RemoteFunction {
  readonly $function: Path;
}

/** A schema in the plugin, with its JSON Schema if it can be expressed. */
export interface RemoteSchema {
  readonly $schema: Path;
  json: { readonly [key: string]: Json } | null;
}

/** The result of checking a value against one of the plugin's schemas. */
export type Checked =
  | { readonly valid: true; readonly value: Json }
  | {
      readonly valid: false;
      readonly issues: readonly { readonly path: string[]; readonly message: string }[];
    };
