/**
 * A component that is not needed for the first render. Its code is fetched immediately, not on first use: by
 * then, another program may be listening on this port, and this page would run that program's code.
 */
import { type ComponentType, lazy } from 'react';

export function preloadedPart<P>(code: Promise<{ default: ComponentType<P> }>) {
  // The component that renders the part reports the error.
  code.catch(() => {});
  return lazy(() => code);
}
