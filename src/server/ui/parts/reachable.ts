/** For what scrolls: it can be reached and moved by keyboard, which browsers do not all grant by themselves. */
export const reachable = { tabIndex: 0 } as const;
