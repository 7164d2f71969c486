/** Defines how values are changed in a language in which the code for this does not depend on their types. Pure. */

/** Describes a different value for people. */
export const DIFFERENT = 'a different value';

/** Builds code in one language that changes the value of an expression. */
export interface ValueChanges {
  /**
   * Returns code that evaluates the expression and changes its value or, for a function or class, its results. The
   * different value has the same type and class: letters keep their case, digits stay digits, numbers keep their sign,
   * and items of sets keep their types. Tests that check only that a value exists, its type or its class do not notice
   * this.
   */
  different(expression: string): string;
  /** Like `different`, but a value that is the only one of its type becomes a value of another type. */
  unequal(expression: string): string;
  /** Returns code that evaluates the expression and drops its value. */
  dropped(expression: string): string;
  readonly nothing: string;
  /** Null if such faults raise errors instead of changing the type of a value. */
  readonly withinType: FaultsWithinType | null;
}

/**
 * Builds code that computes something else than an expression. If the result has another type than the right one, it is
 * replaced with a different value of the right type. Nothing is replaced if there should be no value, or a boolean.
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
