/** Lines with a leading mark: done and warning. */
import { paint } from './paint.ts';
import { columns, wrap } from './text.ts';

export const doneLine = (said: string): string => marked(paint('green', '✔'), said);
export const warningLine = (said: string): string => marked(paint('yellow', '!'), said);

const marked = (mark: string, said: string): string => `${mark} ${wrap(said, columns(), '  ').trimStart()}`;
