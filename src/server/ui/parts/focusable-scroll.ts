/** Makes scrollable elements focusable, so that they can be scrolled with the keyboard in every browser. */
export const reachable = { tabIndex: 0 } as const;
