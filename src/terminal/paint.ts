/** Colours text for a terminal, unless NO_COLOR is set. Output to a pipe is plain text. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const set = (name: string) => (process.env[name] ?? '') !== '';
const forced = () => set('FORCE_COLOR') && process.env['FORCE_COLOR'] !== '0';

const isColourful = (stream: { isTTY?: boolean } = process.stdout): boolean =>
  !set('NO_COLOR') && (forced() || (stream.isTTY === true && process.env['TERM'] !== 'dumb'));

export const paint = (style: Style, text: string, stream: { isTTY?: boolean } = process.stdout): string =>
  text !== '' && isColourful(stream) ? styleText(style, text, { validateStream: false }) : text;
