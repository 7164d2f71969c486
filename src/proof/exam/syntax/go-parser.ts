/**
 * Parses Go. The grammar does not end a statement after `true` or `false` at the end of a line, so these are parsed as
 * names there. Pure.
 */
import { type Input, Parser, type PartialParse, type TreeFragment } from '@lezer/common';
import { parser as go } from '@lezer/go';

const BOOL_AT_END = /\b(?:true|false)(?=[ \t\r]*(?:\/\/.*)?$)/gm;

class GoParser extends Parser {
  override createParse(
    input: Input,
    _fragments: readonly TreeFragment[],
    ranges: readonly { from: number; to: number }[],
  ): PartialParse {
    const text = input.read(0, input.length).replace(BOOL_AT_END, bool => bool.toUpperCase());
    return go.startParse(text, [], ranges);
  }
}

export const parser = new GoParser();
