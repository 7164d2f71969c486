/** Reads and changes the five configuration files for forms: contents, defaults, help, and errors for each field. */
import { z } from 'zod';
import { markCommandsSeen } from '../core/run/seen-commands-and-used-projects.ts';
import { dureError } from '../errors.ts';
import { type ConfigName, configFiles } from '../formats/config/config.ts';
import { valueAt } from '../formats/config/value-at-path.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { jsonSchema, problemsOf } from '../formats/schema/define-file.ts';
import type { Json } from '../formats/schema/strict-json.ts';
import type { Language } from '../words/cli/load-language.ts';
import { ownKeys, readConfig, replaceConfig } from '../workspace/project/read-and-write-config.ts';
import { readRawConfig, shown } from '../workspace/project/read-raw-config.ts';
import { HttpRefusal, lineOf } from './api/http-refusal.ts';
import { refusedIn } from './api/localized-refusal.ts';
import type { ConfigView } from './http-protocol.ts';

/** Keys that control which programs run, and with which permissions. Changing them requires confirmation. */
const needsConfirmation = (name: ConfigName): string[] =>
  name === 'global'
    ? ['backend', 'allow_bypass', 'sandbox', 'workspace.setup', 'rules.mcp_servers']
    : ['backend'];

type Section = { [key: string]: Json };
const section = z.record(z.string(), z.json());

export async function viewSetting(
  project: ProjectFiles,
  name: ConfigName,
  plugins: readonly string[],
  language: Language = 'en',
): Promise<ConfigView> {
  const format = configFiles[name];
  const defaults = format.shape.parse({}) as Section;
  const { written, unreadable } = await readRawConfig(project, name).then(
    read => ({ written: read, unreadable: null }),
    (error: unknown) => ({ written: {} as Section, unreadable: error }),
  );
  const parsed = format.shape.safeParse(ownKeys(written, name, plugins));
  const error = unreadable ?? (parsed.success ? null : invalid(parsed.error));
  return {
    name,
    about: format.about,
    file: shown(name),
    written,
    value: parsed.success ? { ...written, ...parsed.data } : { ...defaults, ...written },
    defaults,
    schema: jsonSchema(format),
    confirm: needsConfirmation(name),
    problem: error === null ? null : await problemIn(language, error, project.root),
  };
}

const invalid = (error: z.ZodError) => new HttpRefusal(400, 'E_CONFIG', problemsOf(error), error);

async function problemIn(language: Language, error: unknown, root: string): Promise<string> {
  const { message, suggestions, fields } = (await refusedIn(language, error, root)).body.error;
  return (fields?.map(lineOf) ?? [message, ...suggestions]).join('\n');
}

/** Known names of backends and pipelines, by the setting that uses them. */
export type Choices = Readonly<Record<'backend' | 'pipeline', readonly string[]>>;

/** Adds the known names as JSON Schema examples, not as an enum, because other values are valid too. */
export function offering(view: ConfigView, choices: Choices): ConfigView {
  const { properties } = view.schema as { properties: Record<string, object> };
  const withoutPlugins = Object.keys((view.value['pipelines'] as object | undefined) ?? {});
  const known: Choices = { ...choices, pipeline: [...new Set([...choices.pipeline, ...withoutPlugins])] };
  const offered = Object.entries(known)
    .filter(([key]) => key in properties)
    .map(([key, examples]) => [key, { ...properties[key], examples: [...examples] }]);
  return {
    ...view,
    schema: { ...view.schema, properties: { ...properties, ...Object.fromEntries(offered) } },
  };
}

/** Throws 400 with an error for each invalid field, and `E_CONFIRM` for an unconfirmed change to what is executed. */
export async function changeSetting(
  project: ProjectFiles,
  name: ConfigName,
  given: Record<string, unknown>,
  confirmed: boolean,
  plugins: readonly string[],
): Promise<ConfigView> {
  const read = section.safeParse(given);
  const value = (read.data ?? {}) as Section;
  const parsed = configFiles[name].shape.safeParse(ownKeys(value, name, plugins));
  const error = read.error ?? parsed.error;
  if (error) throw invalid(error);
  const before = await viewSetting(project, name, plugins);
  const changed = needsConfirmation(name).filter(
    key => JSON.stringify(valueAt(before.value, key)) !== JSON.stringify(valueAt(parsed.data, key)),
  );
  if (changed.length > 0 && !confirmed) throw dureError('E_CONFIRM', { keys: changed.join(', ') });
  await replaceConfig(project, name, value, plugins);
  if (changed.includes('workspace.setup'))
    await markCommandsSeen(project.root, await readConfig(project, plugins));
  return viewSetting(project, name, plugins);
}
