/** Defines the code that changes a value, for languages in which it does not depend on the value's type. Pure. */

/** Describes a different value for people. */
export const DIFFERENT = 'a different value';

/** Builds code in one language that changes the value of an expression. */
export interface ValueChanges {
  /**
   * Returns code that evaluates the expression and changes its value or, for a function or class, its results. The
   * different value has the same type and class: letters keep their case, digits stay digits, numbers keep their sign,
   * and items of sets keep their types. Tests that check only the existence, type or class of a value do not notice
   * the change.
   */
  different(expression: string): string;
  /** Like `different`, but a value that is the only one of its type becomes a value of another type. */
  unequal(expression: string): string;
  /** Returns code that evaluates the expression and drops its value. */
  dropped(expression: string): string;
  readonly nothing: string;
  /** Null if swapped operators, indexes and arguments raise errors instead of changing the type of a value. */
  readonly withinType: FaultsWithinType | null;
}

/**
 * Builds code that evaluates an expression with a fault in it. If the faulty value does not have the type of the right
 * one, it is replaced with a different value of that type, unless the right value is null, undefined or a boolean.
 */
export interface FaultsWithinType {
  /** Each operand is evaluated once, the second one even if the operator would not need it. */
  operation(operands: readonly [string, string], operator: string, other: string): string;
  item(list: string, index: string, other: string): string;
  /** Makes the right call only if the faulty one returns nothing. */
  call(right: string, faulty: string): string;
}

/** Joins lines of JavaScript or Python that need no line breaks, without lines that only contain a comment. */
export const joinedLines = (code: string): string =>
  code
    .replace(/^\s*(?:\/\/|#).*$/gm, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
