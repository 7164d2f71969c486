/** Removes terminal escape sequences from the output of a command. Pure. */

/** Removes escape sequences such as colours, and normalizes line endings. */
export const stripAnsi = (text: string): string =>
  text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r\n/g, '\n');
