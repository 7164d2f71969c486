/**
 * Renders long content only near the visible part of the page. Content farther away is replaced with empty space of
 * the same height, so that the scroll bar and everything else stay in place.
 */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Content within this distance of the viewport is rendered. */
const MARGIN = '900px 0px';

const reports = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>();
const observer = new IntersectionObserver(
  entries => {
    for (const entry of entries) reports.get(entry.target)?.(entry);
  },
  { rootMargin: MARGIN },
);

/** Returns null while the element is near the viewport, and otherwise the height (px) of its placeholder. */
export function usePlaceholderHeight(element: RefObject<Element | null>, estimate: number): number | null {
  const [space, setSpace] = useState<number | null>(estimate);
  useLayoutEffect(() => {
    const watched = element.current!;
    reports.set(watched, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) setSpace(null);
      // Removing the focused line would lose the focus and any text typed there.
      else if (!watched.contains(document.activeElement)) setSpace(now => now ?? boundingClientRect.height);
    });
    observer.observe(watched);
    return () => observer.unobserve(watched);
  }, [element]);
  return space;
}
