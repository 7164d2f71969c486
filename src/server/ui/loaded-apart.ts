/**
 * A part of the pages that is not needed for the first picture. Its code is fetched at once, not when it is first
 * shown: by then another program may listen at this address, and its code would run in this page.
 */
import { type ComponentType, lazy } from 'react';

export function loadedApart<P>(code: Promise<{ default: ComponentType<P> }>) {
  // Whoever shows the part says that it could not be loaded.
  code.catch(() => {});
  return lazy(() => code);
}
