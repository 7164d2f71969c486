/** Makes scrollable elements focusable, so that they scroll by keyboard in every browser. */
export const reachable = { tabIndex: 0 } as const;
