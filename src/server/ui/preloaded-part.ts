/**
 * A component that is not needed for the first render. Its code is fetched immediately, not when it is first
 * shown: by then, another program may be listening at this address, and its code would run in this page.
 */
import { type ComponentType, lazy } from 'react';

export function lazyPart<P>(code: Promise<{ default: ComponentType<P> }>) {
  // The component that renders the part reports the error.
  code.catch(() => {});
  return lazy(() => code);
}
