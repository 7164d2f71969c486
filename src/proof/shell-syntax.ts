/**
 * Parses simple shell syntax: words, lists, pipes and subshells. This module is pure. A misread command could hide a
 * failed test, so commands with other syntax (here-documents, command substitution, background jobs) are rejected.
 */

interface ShellWord {
  /** The word without its quotes. */
  readonly text: string;
  /** Whether the word contains a variable, so that its value is unknown. */
  readonly expands: boolean;
}
export type Simple = readonly ShellWord[];
export type ShellCommand = { readonly words: Simple } | { readonly subshell: List };
/** Commands joined by `|`. */
export type ShellPipeline = readonly ShellCommand[];
/** Pipelines joined by `&&` and `||`; `joint` of the first is null. */
export type ShellChain = readonly { readonly joint: '&&' | '||' | null; readonly pipeline: ShellPipeline }[];
/** Chains separated by `;` or a line end. */
export type List = readonly ShellChain[];

/** `>&` is a complete redirection; `>` is followed by a word. */
type Token = ShellWord | '&&' | '||' | '|' | ';' | '(' | ')' | '>' | '>&';

/** Returns null if the command contains unsupported syntax. */
export function parseShell(text: string): List | null {
  try {
    const tokens = [...tokensOf(text)];
    const list = listOf(tokens);
    return tokens.length === 0 ? list : null;
  } catch (error) {
    if (error instanceof Unclear) return null;
    throw error;
  }
}

class Unclear extends Error {}

const BLANK = /(?:[ \t]|\\\n)+|#[^\n]*/y;
const OPERATOR = /&&|\|\||[|;()\n]/y;
const DUPLICATE = /\d*[<>]&(?:\d+|-)(?![\w$"'`\\])/y;
const REDIRECTION = /\d*(?:>>?|<)(?![<>&|(])/y;
const VARIABLE = String.raw`\$(?:\w+|[?#@*!$-]|\{\w+(?::?[-+=?][\w./-]*)?\}|\(pwd\))`;
const WORD = new RegExp(
  String.raw`(?:[^\s|&;()<>"'${'`'}$\\]|'[^']*'|"(?:[^"\\$${'`'}]|\\[\s\S]|${VARIABLE}|\$(?=["\s|/)]))*"|\\[\s\S]|${VARIABLE})+`,
  'y',
);
const PIECE = new RegExp(String.raw`'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(${VARIABLE})|[\s\S]`, 'g');

function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length; ) {
    const next = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      at += found?.length ?? 0;
      return found;
    };
    if (next(BLANK)) continue;
    const operator = next(OPERATOR);
    if (operator) yield operator === '\n' ? ';' : (operator as Token);
    else if (next(DUPLICATE)) yield '>&';
    else if (next(REDIRECTION)) yield '>';
    else {
      const word = next(WORD);
      if (word === undefined) throw new Unclear();
      yield wordOf(word);
    }
  }
}

function wordOf(written: string): ShellWord {
  let expands = false;
  const text = written.replace(PIECE, (piece, single, double, escaped, variable) => {
    if (single !== undefined) return single;
    if (escaped !== undefined) return escaped === '\n' ? '' : escaped;
    expands ||= variable !== undefined || /\$[^\s|/)]/.test((double ?? '').replace(/\\[\s\S]/g, ''));
    return double?.replace(/\\(?:\n|([$`"\\]))/g, '$1') ?? piece;
  });
  return { text, expands };
}

function listOf(tokens: Token[]): List {
  const chains: ShellChain[] = [];
  while (tokens.length > 0 && tokens[0] !== ')') {
    if (tokens[0] === ';') tokens.shift();
    else chains.push(chainOf(tokens));
  }
  return chains;
}

function chainOf(tokens: Token[]): ShellChain {
  const chain: ShellChain[number][] = [{ joint: null, pipeline: pipelineOf(tokens) }];
  for (let joint = tokens[0]; joint === '&&' || joint === '||'; joint = tokens[0]) {
    skipOperator(tokens);
    chain.push({ joint, pipeline: pipelineOf(tokens) });
  }
  if (tokens.length > 0 && tokens[0] !== ';' && tokens[0] !== ')') throw new Unclear();
  return chain;
}

function pipelineOf(tokens: Token[]): ShellPipeline {
  const commands = [commandOf(tokens)];
  while (tokens[0] === '|') {
    skipOperator(tokens);
    commands.push(commandOf(tokens));
  }
  return commands;
}

/** Skips an operator and the line breaks after it. */
function skipOperator(tokens: Token[]): void {
  tokens.shift();
  while (tokens[0] === ';') tokens.shift();
}

function commandOf(tokens: Token[]): ShellCommand {
  if (tokens[0] !== '(') {
    const words = wordsOf(tokens);
    if (words.length === 0) throw new Unclear();
    return { words };
  }
  tokens.shift();
  const subshell = listOf(tokens);
  if (tokens.shift() !== ')' || subshell.length === 0 || wordsOf(tokens).length > 0) throw new Unclear();
  return { subshell };
}

/** The words of a command, without redirections. */
function wordsOf(tokens: Token[]): ShellWord[] {
  const words: ShellWord[] = [];
  for (
    let token = tokens[0];
    token === '>' || token === '>&' || typeof token === 'object';
    token = tokens[0]
  ) {
    tokens.shift();
    if (typeof token === 'object') words.push(token);
    else if (token === '>' && typeof tokens.shift() !== 'object') throw new Unclear();
  }
  return words;
}
