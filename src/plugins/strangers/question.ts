/** What is asked of a stranger's plugin, and what comes back: one question and one answer for each process. */
import type { Json } from '../../formats/json.ts';

/** Where a plugin's hook lies, as oclif found it. */
export interface HookPlace {
  readonly root: string;
  readonly target: string;
  readonly identifier: string;
}

/** The first step of a way is the number of the hook; the others lead into what it gave. */
export type Way = readonly string[];

export type Wanted =
  | { readonly want: 'all' }
  | { readonly want: 'call'; readonly way: Way; readonly args: readonly unknown[] }
  | { readonly want: 'check'; readonly way: Way; readonly value: unknown };

export type Question = Wanted & { readonly hooks: readonly HookPlace[] };

export type Answer = { readonly gave: Json } | { readonly failed: string };

/** A function on the other side. */
export interface FarCall {
  readonly $call: Way;
}
/** A schema on the other side, and what it says as JSON Schema when it can be said. */
export interface FarShape {
  readonly $shape: Way;
  readonly schema: { readonly [key: string]: Json } | null;
}

/** What a schema on the other side found. */
export type Checked =
  | { readonly fits: true; readonly value: Json }
  | {
      readonly fits: false;
      readonly problems: readonly { readonly path: string[]; readonly message: string }[];
    };
