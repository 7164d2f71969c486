/** Formats a merge-readiness pack, on one screen or in full. */

import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { words } from '../../words/cli/load-language.ts';
import { paint } from '../paint.ts';
import { readShownPack } from '../runs/read-and-verify-shown-pack.ts';
import { decideCommands, keepCommand } from '../suggested-commands.ts';
import { columns, wrap } from '../text-layout.ts';
import { judgedCriteria } from './criteria-lines.ts';
import { evidenceView } from './evidence-view.ts';
import { heading, nextLines, packScreen, type ShownPack, screenSize } from './pack-on-one-screen.ts';
import { warningLines } from './pack-warnings-view.ts';

/** `number`: the number of the pack, if it is an earlier one. */
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
 * Returns what a command prints after following a run until it was ready for merge. If the pack cannot be shown, only
 * the heading and the commands are shown, and `dure review` says why.
 */
export async function readyScreen(files: RunFiles, state: RunState): Promise<string> {
  const shown = await readShownPack(files, state).catch(() => null);
  if (shown) return `\n${reviewScreen(shown)}`;
  const { width } = screenSize();
  return ['', heading(state, width), ...nextLines(state, null, decideCommands(state), width)].join('\n');
}

/** Formats everything in the pack except the changes. Lines of the summary are not wrapped. */
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

/** Shows the summary as written, but marks each line of quoted text so that it cannot pass for text from Dure. */
export const summaryView = (summary: string): string =>
  plainText(summary).replace(
    /^( *)(`{3,})quote\n([\s\S]*?)\n\1\2$/gm,
    (_, indent: string, _fence, quoted: string) =>
      quoted
        .split('\n')
        .map(line => `${indent}> ${line.slice(indent.length)}`)
        .join('\n'),
  );
