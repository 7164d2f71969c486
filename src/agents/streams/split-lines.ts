/**
 * Splits chunks into lines with bounded memory: the part of a line beyond the limit is dropped; the next line is
 * complete.
 */
export interface LineSplitter {
  push(chunk: string): string[];
  /** Returns the text after the last line end, if there is any. */
  remainder(): string[];
}

export function splitLines(limit: number): LineSplitter {
  let open = '';
  let dropping = false;
  const keep = (piece: string): void => {
    if (dropping) return;
    open += piece.slice(0, limit - open.length);
    dropping = open.length >= limit;
  };
  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
        keep(chunk.slice(from, end));
        lines.push(open);
        open = '';
        dropping = false;
        from = end + 1;
      }
      keep(chunk.slice(from));
      return lines;
    },
    remainder: () => (open === '' ? [] : [open]),
  };
}
