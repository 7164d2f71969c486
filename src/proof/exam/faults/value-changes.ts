/** Defines how values are changed in a language in which the code for this does not depend on their types. Pure. */

/** Builds code in one language that changes the value of an expression. */
export interface ValueChanges {
  /**
   * Returns code that evaluates the expression and changes its value or, for a function or class, its results. The
   * different value has the same type and class: letters keep their case, digits stay digits, numbers keep their sign,
   * and items of sets keep their types. Tests that check only that a value exists, its type or its class do not notice
   * this.
   */
  different(expression: string): string;
  /** Like `different`, but a value for which there is no other one of its type becomes one of another type. */
  unequal(expression: string): string;
  /** Returns code that evaluates the expression and drops its value. */
  dropped(expression: string): string;
  readonly nothing: string;
}

/** Joins lines of JavaScript or Python that need no line breaks, without lines that only contain a comment. */
export const joinedLines = (code: string): string =>
  code
    .replace(/^\s*(?:\/\/|#).*$/gm, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
