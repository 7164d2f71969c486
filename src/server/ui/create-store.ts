/** A value outside React that components can subscribe to. */
import { useSyncExternalStore } from 'react';

export function createStore<T>(value: T) {
  const watchers = new Set<() => void>();
  const watch = (changed: () => void) => {
    watchers.add(changed);
    return () => watchers.delete(changed);
  };
  return {
    now: () => value,
    set(next: T) {
      value = next;
      for (const changed of watchers) changed();
    },
    use: () => useSyncExternalStore(watch, () => value),
  };
}
