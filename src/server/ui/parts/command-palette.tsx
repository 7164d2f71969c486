/** Ctrl+K: opens a page, or finds a run by part of its title. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../connection/api-client.ts';
import { runPageOf } from '../page-of-run.ts';
import { useWords } from '../preferences.ts';
import { Dialog } from './dialog.tsx';
import { navigationLinks } from './header.tsx';
import { Phase } from './phase-label.tsx';

const MAX_RESULTS = 8;

/** Calls `open` on Ctrl+K or Command+K, even when a field has focus. */
export function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]'))
        return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [open]);
}

export function CommandPalette({ close }: { close: () => void }) {
  const w = useWords();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: ['runs', 'palette', search],
    queryFn: () => api.runs({ search, limit: MAX_RESULTS }),
    placeholderData: keepPreviousData,
  });
  const places = navigationLinks(w).filter(([, name]) => name.toLowerCase().includes(search.toLowerCase()));
  const runs = (found.data?.runs ?? []).map(run => ({
    page: runPageOf(run),
    name: run.title || run.run_id,
    phase: run.phase,
  }));
  const all = [...runs.map(({ page }) => page), ...places.map(([page]) => page)];
  return (
    <Dialog title={w.help.palette} close={close}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault();
          if (all[0]) go(all[0]);
          close();
        }}
      >
        <input
          type="search"
          value={text}
          aria-label={w.help.palette}
          placeholder={w.history.searchHint}
          onChange={event => setText(event.target.value)}
        />
        <ul className="palette">
          {runs.map(({ page, name, phase }) => (
            <li key={page} className="row">
              <Link href={page} onClick={close}>
                {name}
              </Link>
              <Phase phase={phase} />
            </li>
          ))}
          {places.map(([page, name]) => (
            <li key={page}>
              <Link href={page} onClick={close}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}
