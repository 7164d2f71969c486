/** The five files of configuration, for forms: what stands in them, defaults, help, and mistakes by field. */
import { z } from 'zod';
import { dureError } from '../errors.ts';
import { CONFIG_NAMES, type ConfigName, configFiles } from '../formats/config.ts';
import { jsonSchema, problemsOf } from '../formats/define.ts';
import type { Json } from '../formats/json.ts';
import { DURE_DIR, type ProjectFiles } from '../formats/layout.ts';
import { readWritten, replaceConfig } from '../project.ts';
import { fieldsOf } from './endpoint.ts';
import type { ConfigView } from './protocol.ts';
import { Refusal } from './refusal.ts';

/** Keys that decide which programs run, and with which rights: a web page must not change them in passing. */
const ASKS: Record<ConfigName, readonly string[]> = {
  global: ['backend', 'allow_bypass', 'workspace.setup'],
  refiner: ['backend'],
  builder: ['backend'],
  verifier: ['backend'],
  gatekeeper: ['backend'],
};

type Section = { [key: string]: Json };
const section = z.record(z.string(), z.json());

export const viewSettings = (project: ProjectFiles, plugins: readonly string[]): Promise<ConfigView[]> =>
  Promise.all(CONFIG_NAMES.map(name => viewSetting(project, name, plugins)));

export async function viewSetting(
  project: ProjectFiles,
  name: ConfigName,
  plugins: readonly string[],
): Promise<ConfigView> {
  const format = configFiles[name];
  const defaults = format.shape.parse({}) as Section;
  const { written, problem } = await readWritten(project, name).then(
    read => ({ written: read, problem: null }),
    (error: Error) => ({ written: {} as Section, problem: error.message }),
  );
  const parsed = format.shape.safeParse(own(written, name, plugins));
  return {
    name,
    about: format.about,
    file: `${DURE_DIR}/config/${name}.json`,
    written,
    value: parsed.success ? { ...written, ...parsed.data } : { ...defaults, ...written },
    defaults,
    schema: jsonSchema(format),
    confirm: [...ASKS[name]],
    problem: problem ?? (parsed.success ? null : problemsOf(parsed.error)),
  };
}

/** With the backends that are registered as examples, which JSON Schema has for values beside which others are valid. */
export function offering(view: ConfigView, backends: readonly string[]): ConfigView {
  const { properties } = view.schema as { properties: Record<string, object> };
  const backend = { ...properties['backend'], examples: [...backends] };
  return { ...view, schema: { ...view.schema, properties: { ...properties, backend } } };
}

/** Throws 400 with the mistakes by field, and `E_CONFIRM` when what is executed would change unconfirmed. */
export async function changeSetting(
  project: ProjectFiles,
  name: ConfigName,
  given: Record<string, unknown>,
  confirmed: boolean,
  plugins: readonly string[],
): Promise<ConfigView> {
  const value = section.parse(given) as Section;
  const parsed = configFiles[name].shape.safeParse(own(value, name, plugins));
  if (!parsed.success) {
    const fields = fieldsOf(parsed.error);
    throw new Refusal(400, 'E_CONFIG', problemsOf(parsed.error), fields);
  }
  const before = await viewSetting(project, name, plugins);
  const changed = ASKS[name].filter(
    key => JSON.stringify(at(before.value, key)) !== JSON.stringify(at(parsed.data, key)),
  );
  if (changed.length > 0 && !confirmed) throw dureError('E_CONFIRM', { keys: changed.join(', ') });
  await replaceConfig(project, name, value, plugins);
  return viewSetting(project, name, plugins);
}

/** What plugins keep in global.json under their names is theirs to check. */
const own = (value: Section, name: ConfigName, plugins: readonly string[]): Section =>
  name === 'global'
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !plugins.includes(key)))
    : value;

const at = (value: unknown, key: string): unknown =>
  key
    .split('.')
    .reduce<unknown>((found, part) => (found as Record<string, unknown> | undefined)?.[part], value);
