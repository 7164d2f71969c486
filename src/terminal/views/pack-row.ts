/** The layout of a row in the views of a pack. */

import { paint } from '../paint.ts';
import { pad } from '../text-layout.ts';

/** A row of a pack: its mark, name and text. */
export type PackRow = readonly [mark: string, name: string, text: string];

export const ROW_INDENT = 15;

export const rowHead = ([sign, name]: PackRow): string => `  ${pad(sign, 1)} ${pad(name, ROW_INDENT - 4)}`;

export const mark = (good: boolean) => (good ? paint('green', '✔') : paint('red', '✖'));
