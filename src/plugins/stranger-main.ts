/**
 * The program in which a stranger's plugin runs: one question on standard input, one answer on descriptor 3, and the end.
 * Whatever the plugin does to its process, it does to this one.
 */
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../formats/json.ts';
import { wordsOf } from './calls.ts';
import type { Answer, Checked, HookPlace, Question } from './strangers/question.ts';
import { isShape, reached, type Said, told } from './strangers/told.ts';

/** Milliseconds in which what a plugin left running may still show that it is not sound. */
const SETTLE_MS = 200;

/** A promise that never settles would end Node without a word, and a host that is gone ends nobody. */
const life = setTimeout(() => answer({ failed: 'nobody waits any more' }), 60_000);
let answered = false;

function answer(given: Answer): void {
  if (answered) return;
  answered = true;
  const bytes = Buffer.from(JSON.stringify(given));
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at);
  process.exit(0);
}

const fail = (thrown: unknown) => answer({ failed: wordsOf(thrown) });

process.on('uncaughtException', fail);
process.on('unhandledRejection', thrown =>
  answer({ failed: `nobody caught the rejection of a promise it made: ${wordsOf(thrown)}` }),
);

const ENDINGS = ['', '.js', '.mjs', '.cjs', '/index.js', '/index.mjs', '/index.cjs'];

async function hookOf({ root, target, identifier }: HookPlace): Promise<unknown> {
  const path = resolve(root, target);
  const file = ENDINGS.map(ending => path + ending).find(one => existsSync(one) && one !== root) ?? path;
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const inside = module['default'] as Record<string, unknown> | undefined;
  const named = module[identifier] ?? inside?.[identifier];
  const hook = [named, inside, inside?.['default']].find(one => typeof one === 'function');
  if (!hook) throw new TypeError(`${target} has no function to call`);
  return hook;
}

/** What a hook of oclif finds as `this`. */
const surroundings = {
  debug() {},
  log: (text: unknown) => console.error(text),
  warn: (text: unknown) => console.error(text),
  error(problem: unknown) {
    throw problem instanceof Error ? problem : new Error(String(problem));
  },
  exit(code = 0) {
    throw new Error(`EEXIT: ${code}`);
  },
};

async function answerTo(question: Question): Promise<Json> {
  const given: unknown[] = [];
  for (const place of question.hooks) {
    const hook = (await hookOf(place)) as (this: object, options: object) => unknown;
    given.push(await hook.call(surroundings, {}));
  }
  if (question.want === 'all') return whole(given);
  const { owner, found } = reached(given, question.way);
  if (question.want === 'check') return checked(found, question.value) as Json;
  const call = found as (this: unknown, ...args: unknown[]) => unknown;
  return plainly(await call.apply(owner, [...question.args].map(withSignal)));
}

/** What is given counts as it is when the hook has answered; what comes later is refused, for nobody would hear of it. */
async function whole(given: readonly unknown[]): Promise<Json> {
  const said = await sayer(given);
  const tell = () => JSON.stringify(given.map((one, i) => told(one ?? null, [String(i)], said)));
  const first = tell();
  clearTimeout(life);
  await new Promise<void>(done => {
    process.once('beforeExit', () => done());
    setTimeout(done, SETTLE_MS).unref();
  });
  if (tell() !== first)
    throw new Error('it registered something after it had answered: give everything at once');
  return JSON.parse(first) as Json;
}

/** The schema library is loaded only for a plugin that has a schema. */
async function sayer(given: readonly unknown[]): Promise<Said> {
  let has = false;
  told(given, [], () => {
    has = true;
    return null;
  });
  if (!has) return () => null;
  const { z } = await import('zod');
  return shape => {
    try {
      const { $schema, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
      return plainly(schema) as { [key: string]: Json };
    } catch {
      return null;
    }
  };
}

function checked(shape: unknown, value: unknown): Checked {
  if (typeof shape !== 'object' || shape === null || !isShape(shape)) throw new TypeError('it is no schema');
  const read = (shape as { safeParse(value: unknown): SafeResult }).safeParse(value);
  if (read.success) return { fits: true, value: plainly(read.data) };
  return {
    fits: false,
    problems: read.error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
  };
}

type SafeResult =
  | { readonly success: true; readonly data: unknown }
  | {
      readonly success: false;
      readonly error: {
        readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
      };
    };

/** As JSON can carry it; a promise or a number that is none would be carried as something else. */
const plainly = (value: unknown): Json =>
  (value === undefined ? null : JSON.parse(JSON.stringify(value))) as Json;

/** A signal cannot be handed over. Who is no longer waited for is ended, so this one never has to fire. */
const withSignal = (arg: unknown): unknown =>
  typeof arg === 'object' && arg !== null && 'signal' in arg
    ? { ...arg, signal: new AbortController().signal }
    : arg;

answerTo(JSON.parse(readFileSync(0, 'utf8')) as Question).then(gave => answer({ gave }), fail);
