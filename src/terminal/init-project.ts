/** Sets up a project. For a new one without a sandbox, asks the user whether agents may bypass permission prompts. */

import type { SandboxMode } from '../formats/agent-sandbox.ts';
import type { ConfigName } from '../formats/config/config.ts';
import { statsOf } from '../formats/file-system/path-status.ts';
import { type ProjectFiles, projectFiles } from '../formats/layout.ts';
import type { Json } from '../formats/schema/strict-json.ts';
import { SECURITY_GUIDE } from '../process/package-paths-and-version.ts';
import { words } from '../words/cli/load-language.ts';
import { createProjectFolders } from '../workspace/project/create-folders-and-config.ts';
import { replaceConfig } from '../workspace/project/read-and-write-config.ts';
import { readRawConfig } from '../workspace/project/read-raw-config.ts';
import { paint } from './paint.ts';
import { ask, confirm } from './prompt-for-input.ts';
import { columns, wrap } from './text-layout.ts';

const SLOW_MS = 20_000;

export interface SetupRequest {
  /** Consent to bypass permission prompts; undefined if it was not given. */
  readonly bypass: boolean | undefined;
  readonly backend: string | undefined;
  /**
   * `sandbox.mode`. In a new project on a machine where a sandbox works, `undefined` asks the user whether to set
   * `standard`, and `found` sets it without asking.
   */
  readonly sandbox?: SandboxMode | 'found' | undefined;
  readonly mayAsk: boolean;
  readonly plugins: readonly string[];
  /** `workspace.directory` of a new project. */
  readonly directory?: string;
}

export interface SetupResult {
  readonly project: ProjectFiles;
  readonly written: ConfigName[];
  readonly bypass: boolean;
  readonly sandbox: SandboxMode;
  readonly backend: string;
}

/**
 * Writes missing files and changes only what was requested. Safe to repeat, even if it failed: global.json, which marks
 * a project as set up, is created with all choices in it.
 */
export async function setUpProject(root: string, wanted: SetupRequest): Promise<SetupResult> {
  const project = projectFiles(root);
  const isNew = (await statsOf(project.configOf('global'))) === null;
  const before = await readRawConfig(project, 'global');
  const after = { ...before };
  if (wanted.backend !== undefined) after['backend'] = wanted.backend;
  const { directory = '.' } = wanted;
  if (isNew && directory !== '.')
    after['workspace'] = { ...(before['workspace'] as { [key: string]: Json }), directory };
  const sandbox =
    wanted.sandbox === undefined || wanted.sandbox === 'found'
      ? isNew
        ? await chosenSandbox(wanted, String(after['backend'] ?? 'claude'))
        : undefined
      : wanted.sandbox;
  const kept = (before['sandbox'] ?? {}) as { [key: string]: Json; mode?: SandboxMode };
  if (sandbox !== undefined) after['sandbox'] = { ...kept, mode: sandbox };
  const mode = sandbox ?? kept.mode ?? 'off';
  const consents =
    wanted.bypass ??
    (mode === 'off' && wanted.mayAsk && isNew && after['backend'] !== 'rehearsal'
      ? await consent()
      : undefined);
  if (consents !== undefined) after['allow_bypass'] = consents;
  const { written } = await createProjectFolders(root, after);
  if (!written.includes('global') && JSON.stringify(before) !== JSON.stringify(after))
    await replaceConfig(project, 'global', after, wanted.plugins);
  return {
    project,
    written,
    bypass: after['allow_bypass'] === true,
    sandbox: mode,
    backend: String(after['backend'] ?? 'claude'),
  };
}

/**
 * Returns `standard` if a sandbox works here and is wanted. `found` has no effect in a rehearsal, which runs no model,
 * or where `IS_SANDBOX` says that there is already a sandbox.
 */
async function chosenSandbox(
  { sandbox, mayAsk }: SetupRequest,
  backend: string,
): Promise<'standard' | undefined> {
  const isFound = sandbox === 'found' && backend !== 'rehearsal' && process.env['IS_SANDBOX'] !== '1';
  if (!mayAsk && !isFound) return undefined;
  const { findSandbox } = await import('../process/sandbox/find-sandbox.ts');
  if ((await reportIfSlow(findSandbox(process.env))).kind === 'none') return undefined;
  return isFound || (await confirm(words().setUp.sandbox)) ? 'standard' : undefined;
}

/** Prints a line if it takes long to find out whether a sandbox works. */
export async function reportIfSlow<T>(sandboxCheck: Promise<T>): Promise<T> {
  const timer = setTimeout(() => process.stderr.write(`${words().setUp.sandboxSlow}\n`), SLOW_MS);
  return sandboxCheck.finally(() => clearTimeout(timer));
}

async function consent(): Promise<boolean> {
  process.stdout.write(`\n${paint('yellow', wrap(words().setUp.warning, columns()))}\n\n`);
  const typed = await ask(words().setUp.allow);
  return typed?.toLowerCase() === 'allow';
}

export const consentHint = (): string => words().setUp.consent(SECURITY_GUIDE);
