/** Reads a merge-readiness pack, and shows it on one screen or in full. */
import { relative } from 'node:path';
import { expectPackUnchanged } from '../../core/run/pack/pack-hashes.ts';
import { dureError } from '../../errors.ts';
import { evidenceFile, PACK_LIMIT } from '../../formats/evidence.ts';
import { criteriaReportFile } from '../../formats/exam/criteria-report.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import type { RunState } from '../../formats/state.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { words } from '../../words/cli/language.ts';
import { paint } from '../paint.ts';
import { decideCommands, keepCommand } from '../suggested-commands.ts';
import { columns, wrap } from '../text.ts';
import { judgedCriteria } from './criteria-lines.ts';
import { evidenceView, summaryView, warningLines } from './evidence-view.ts';
import { heading, nextLines, packScreen, type ShownPack, screenSize } from './pack-screen.ts';

/** `number`: an earlier pack. Throws `E_NOT_READY` and `E_PACK_CHANGED`. */
export async function readShownPack(files: RunFiles, state: RunState, number?: number): Promise<ShownPack> {
  if (state.mrp) await expectPackUnchanged(files, state, number);
  const evidence = await load(evidenceFile, files.evidence, PACK_LIMIT);
  const criteria = await load(criteriaReportFile, files.criteria, PACK_LIMIT);
  if (!evidence || !criteria || !state.mrp)
    throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
  const near = relative('', files.summary);
  return {
    state,
    evidence,
    criteria,
    summary: near.startsWith('..') ? files.summary : near,
  };
}

/** `number`: an earlier pack. */
export function reviewScreen(shown: ShownPack, number?: number): string {
  const { state, criteria } = shown;
  const size = screenSize();
  const of = number === undefined ? state.run_id : `${state.run_id} --pack ${number}`;
  const commands = state.phase === 'ready_for_merge' ? decideCommands(state) : [`dure review ${of} --diff`];
  const screen = packScreen(shown, size, nextLines(state, criteria.change, commands, size.width));
  return number === undefined
    ? screen
    : `${screen}\n${wrap(words().pack.keep, size.width)}\n  ${paint('cyan', keepCommand(state, number))}`;
}

/**
 * What a command that followed the run shows at the end. If the pack cannot be shown, only the heading and the
 * commands are shown, and `dure review` says why.
 */
export async function readyScreen(files: RunFiles, state: RunState): Promise<string> {
  const shown = await readShownPack(files, state).catch(() => null);
  if (shown) return `\n${reviewScreen(shown)}`;
  const { width } = screenSize();
  return ['', heading(state, width), ...nextLines(state, null, decideCommands(state), width)].join('\n');
}

/** The whole pack except the changes. Lines of the summary are not wrapped. */
export function wholePack({ evidence, criteria }: ShownPack, summary: string): string {
  const title = (text: string) => paint('bold', text);
  return [
    ...warningLines(evidence, columns()),
    ...(criteria.sha256 ? [...judgedCriteria(criteria), ''] : []),
    title(words().pack.evidence),
    evidenceView(evidence, columns()),
    '',
    title(words().pack.summary),
    '',
    (process.stdout.isTTY ? summaryView(summary) : plainText(summary)).trimEnd(),
  ].join('\n');
}
