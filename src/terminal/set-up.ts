/** Making a project ready for Dure, with the one question that only a person may answer. */

import type { ConfigName } from '../formats/config.ts';
import type { Json } from '../formats/json.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { SECURITY_GUIDE } from '../package-root.ts';
import { layOut, readWritten, replaceConfig } from '../project.ts';
import { words } from '../words/cli/words.ts';
import { ask } from './ask.ts';
import { paint } from './paint.ts';
import { columns, wrap } from './text.ts';

export interface Wanted {
  /** The person's word on bypassed permissions; undefined when it was not given. */
  readonly bypass: boolean | undefined;
  readonly backend: string | undefined;
  readonly mayAsk: boolean;
  readonly plugins: readonly string[];
  /** `workspace.directory` of a project that is new. */
  readonly directory?: string;
}

export interface Ready {
  readonly project: ProjectFiles;
  readonly written: ConfigName[];
  readonly bypass: boolean;
  readonly backend: string;
}

/** Writes what is missing and changes only what was asked for. May be repeated. */
export async function setUp(root: string, wanted: Wanted): Promise<Ready> {
  const { project, written } = await layOut(root);
  const before = await readWritten(project, 'global');
  const after = { ...before };
  if (wanted.backend !== undefined) after['backend'] = wanted.backend;
  const isNew = written.includes('global');
  const { directory = '.' } = wanted;
  if (isNew && directory !== '.')
    after['workspace'] = { ...(before['workspace'] as { [key: string]: Json }), directory };
  const consents =
    wanted.bypass ??
    (wanted.mayAsk && isNew && after['backend'] !== 'rehearsal' ? await consent() : undefined);
  if (consents !== undefined) after['allow_bypass'] = consents;
  if (JSON.stringify(before) !== JSON.stringify(after))
    await replaceConfig(project, 'global', after, wanted.plugins);
  return {
    project,
    written,
    bypass: after['allow_bypass'] === true,
    backend: String(after['backend'] ?? 'claude'),
  };
}

async function consent(): Promise<boolean> {
  process.stdout.write(`\n${paint('yellow', wrap(words().setUp.warning, columns()))}\n\n`);
  const typed = await ask(words().setUp.allow);
  return typed?.toLowerCase() === 'allow';
}

export const consentHint = (): string => words().setUp.consent(SECURITY_GUIDE);
