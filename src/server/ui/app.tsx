/** The frame of all pages: masthead, state of the connection, the page of the address, help. */
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useKeys } from './keys.ts';
import { useLink } from './live.ts';
import { loadedApart } from './loaded-apart.ts';
import { useWords } from './look.ts';
import { Overview } from './pages/overview.tsx';
import { KeyboardHelp } from './parts/keyboard-help.tsx';
import { Masthead } from './parts/masthead.tsx';
import { Said } from './parts/said.tsx';
import { Strip } from './parts/send.tsx';
import { Bones, Guard, Nothing } from './parts/states.tsx';
import { WithCode } from './parts/with-code.tsx';

const NewRun = loadedApart(import('./pages/new-run.tsx'));
const Run = loadedApart(import('./pages/run.tsx'));
const Question = loadedApart(import('./pages/question.tsx'));
const Review = loadedApart(import('./pages/review.tsx'));
const History = loadedApart(import('./pages/history.tsx'));
const Settings = loadedApart(import('./pages/settings.tsx'));

export function App() {
  const w = useWords();
  const link = useLink();
  const [path, go] = useLocation();
  const [helping, setHelping] = useState(false);
  const content = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useKeys(
    useMemo(
      () => ({
        '?': () => setHelping(true),
        'g o': () => go('/'),
        'g n': () => go('/run/new'),
        'g h': () => go('/history'),
        'g s': () => go('/settings'),
      }),
      [go],
    ),
  );
  // A reader hears the new page, and Tab goes on from its top; the first page keeps the browser's own start.
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
      <Masthead help={() => setHelping(true)} />
      <Strip />
      <main id="content" ref={content} tabIndex={-1}>
        {link === 'locked' ? (
          <Nothing title={w.state.lockedTitle}>
            {w.state.locked.map(line => (
              <p key={line}>
                <WithCode text={line} />
              </p>
            ))}
          </Nothing>
        ) : (
          <Guard key={path} fallen={error => <Fallen error={error} />}>
            <Suspense fallback={<Bones />}>
              <Pages />
            </Suspense>
          </Guard>
        )}
      </main>
      <Said />
      {helping && <KeyboardHelp close={() => setHelping(false)} />}
    </div>
  );
}

const Pages = (): ReactNode => (
  <Switch>
    <Route path="/" component={Overview} />
    <Route path="/run/new" component={NewRun} />
    <Route path="/run/:id">{({ id }) => <Run key={id} id={id} />}</Route>
    <Route path="/run/:id/crp/:crp">{({ id, crp }) => <Question key={id + crp} id={id} crp={crp} />}</Route>
    <Route path="/run/:id/mrp">{({ id }) => <Review key={id} id={id} />}</Route>
    <Route path="/history" component={History} />
    <Route path="/settings" component={Settings} />
    <Route component={Nowhere} />
  </Switch>
);

function Nowhere() {
  const w = useWords();
  return (
    <Nothing title={w.state.notFound}>
      <p>{w.state.notFoundHint}</p>
      <Link href="/" className="button">
        {w.state.home}
      </Link>
    </Nothing>
  );
}

function Fallen({ error }: { error: unknown }) {
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
