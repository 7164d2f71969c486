/** The frame around all pages: header, connection status, current page and keyboard help. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useConnectionState } from './connection/socket.ts';
import { useKeys } from './keyboard-shortcuts.ts';
import { runPageOf } from './page-of-run.ts';
import { Overview } from './pages/overview.tsx';
import { CommandPalette, usePaletteKey } from './parts/command-palette.tsx';
import { ConnectionStrip } from './parts/connection-strip.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Header } from './parts/header.tsx';
import { InlineCode } from './parts/inline-code.tsx';
import { KeyboardHelp } from './parts/keyboard-help.tsx';
import { EmptyState, Skeleton } from './parts/placeholders.tsx';
import { Toast } from './parts/toast.tsx';
import { useWords } from './preferences.ts';
import { preloadedPart } from './preloaded-part.ts';
import { overviewQuery } from './queries.ts';

const NewRun = preloadedPart(import('./pages/new-run.tsx'));
const Run = preloadedPart(import('./pages/run.tsx'));
const Question = preloadedPart(import('./pages/question.tsx'));
const Review = preloadedPart(import('./pages/review.tsx'));
const History = preloadedPart(import('./pages/history.tsx'));
const Settings = preloadedPart(import('./pages/settings.tsx'));

export function App() {
  const w = useWords();
  const link = useConnectionState();
  const [path, go] = useLocation();
  const [helpOpen, setHelpOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const client = useQueryClient();
  usePaletteKey(useCallback(() => setPaletteOpen(true), []));
  const content = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useKeys(
    useMemo(
      () => ({
        '?': () => setHelpOpen(true),
        'g o': () => go('/'),
        'g n': () => go('/run/new'),
        'g h': () => go('/history'),
        'g s': () => go('/settings'),
        n() {
          const waiting = client.getQueryData(overviewQuery.queryKey)?.waiting ?? [];
          const here = waiting.findIndex(run => path.split('/')[2] === run.run_id);
          const next = waiting[(here + 1) % waiting.length];
          if (next) go(runPageOf(next));
        },
      }),
      [go, client, path],
    ),
  );
  // Moves the focus to the content: screen readers then announce the new page, and Tab starts at its top. The first
  // page keeps the browser's default focus.
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    content.current?.focus();
    window.scrollTo(0, 0);
  }, [path]);

  return (
    <div className="frame">
      <a className="skip" href="#content">
        {w.skip}
      </a>
      <Header help={() => setHelpOpen(true)} />
      <ConnectionStrip />
      <main id="content" ref={content} tabIndex={-1}>
        {link === 'locked' ? (
          <EmptyState title={w.state.lockedTitle}>
            <h1 className="unseen">Dure</h1>
            {w.state.locked.map(line => (
              <p key={line}>
                <InlineCode text={line} />
              </p>
            ))}
          </EmptyState>
        ) : (
          <ErrorBoundary key={path} fallback={error => <ErrorFallback error={error} />}>
            <Suspense fallback={<Skeleton />}>
              <Pages />
            </Suspense>
          </ErrorBoundary>
        )}
      </main>
      <Toast />
      {paletteOpen && <CommandPalette close={() => setPaletteOpen(false)} />}
      {helpOpen && <KeyboardHelp close={() => setHelpOpen(false)} />}
    </div>
  );
}

const Pages = (): ReactNode => (
  <Switch>
    <Route path="/" component={Overview} />
    <Route path="/run/new" component={NewRun} />
    <Route path="/run/:id">{({ id }) => <Run key={id} id={id} />}</Route>
    <Route path="/run/:id/crp/:crp">{({ id, crp }) => <Question key={id + crp} id={id} crp={crp} />}</Route>
    <Route path="/run/:id/mrp">{({ id }) => <Review key={id} id={id} number={null} />}</Route>
    <Route path="/run/:id/packs/:pack">
      {({ id, pack }) => <Review key={id + pack} id={id} number={Number(pack)} />}
    </Route>
    <Route path="/history" component={History} />
    <Route path="/settings" component={Settings} />
    <Route component={NotFound} />
  </Switch>
);

function NotFound() {
  const w = useWords();
  return (
    <EmptyState title={w.state.notFound}>
      <h1 className="unseen">Dure</h1>
      <p>{w.state.notFoundHint}</p>
      <Link href="/" className="button">
        {w.state.home}
      </Link>
    </EmptyState>
  );
}

function ErrorFallback({ error }: { error: unknown }) {
  const w = useWords();
  return (
    <div className="trouble" role="alert">
      <strong>{w.state.crashed}</strong>
      <code>{String(error)}</code>
      <button type="button" onClick={() => location.reload()}>
        {w.state.reload}
      </button>
    </div>
  );
}
