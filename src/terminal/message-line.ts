/** Formats lines with a leading mark: done, warning or problem. */
import { paint } from './paint.ts';
import { columns, wrap } from './text-layout.ts';

export const doneLine = (text: string): string => marked(paint('green', '✔'), text);
export const warningLine = (text: string): string => marked(paint('yellow', '!'), text);
export const problemLine = (text: string): string => marked(paint('red', '✖'), text);

const marked = (mark: string, text: string): string => `${mark} ${wrap(text, columns(), '  ').trimStart()}`;
