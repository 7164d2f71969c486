/** Lines that begin with a mark, for what was done and for what to mind. */
import { paint } from './paint.ts';
import { columns, wrap } from './text.ts';

export const done = (said: string): string => marked(paint('green', '✔'), said);
export const mind = (said: string): string => marked(paint('yellow', '!'), said);

const marked = (mark: string, said: string): string => `${mark} ${wrap(said, columns(), '  ').trimStart()}`;
