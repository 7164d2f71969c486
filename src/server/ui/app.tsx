/** The frame of all pages: masthead, state of the connection, the page of the address, help. */
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { api } from './api.ts';
import { useKeys } from './keys.ts';
import { useLink } from './live.ts';
import {
  chooseLanguage,
  chooseTheme,
  LANGUAGES,
  type Language,
  THEMES,
  useLanguage,
  useTheme,
  useWords,
} from './look.ts';
import { ring, useBell } from './notices.ts';
import { Overview } from './pages/overview.tsx';
import { Dialog } from './parts/ask.tsx';
import { bellSign, themeSigns } from './parts/icons.tsx';
import { Said, say } from './parts/said.tsx';
import { Bones, Guard, Nothing } from './parts/states.tsx';
import { useWaiting } from './title.ts';

const NewRun = lazy(() => import('./pages/new-run.tsx'));
const Run = lazy(() => import('./pages/run.tsx'));
const Question = lazy(() => import('./pages/question.tsx'));
const Review = lazy(() => import('./pages/review.tsx'));
const History = lazy(() => import('./pages/history.tsx'));
const Settings = lazy(() => import('./pages/settings.tsx'));

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
      {link === 'lost' && (
        <p className="strip" role="status">
          {w.state.offline}
        </p>
      )}
      <main id="content" ref={content} tabIndex={-1}>
        {link === 'locked' ? (
          <Nothing title={w.state.lockedTitle}>
            <p>{w.state.locked}</p>
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

function Masthead({ help }: { help: () => void }) {
  const w = useWords();
  const [path] = useLocation();
  const link = useLink();
  const { data } = useQuery({ queryKey: ['overview'], queryFn: api.overview, enabled: link !== 'locked' });
  const waiting = data?.waiting.length ?? 0;
  useWaiting(waiting);
  const places = [
    ['/', w.places.overview],
    ['/run/new', w.places.create],
    ['/history', w.places.history],
    ['/settings', w.places.settings],
  ] as const;
  return (
    <header className="masthead">
      <div className="masthead-row">
        <Link href="/" className="brand">
          Dure
        </Link>
        <nav className="places" aria-label={w.places.nav}>
          {places.map(([href, label]) => (
            <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
              {label}
              {href === '/' && waiting > 0 && (
                <span className="count">
                  {waiting}
                  <span className="unseen"> {w.overview.waiting}</span>
                </span>
              )}
            </Link>
          ))}
        </nav>
        <Tools help={help} />
      </div>
    </header>
  );
}

function Tools({ help }: { help: () => void }) {
  const w = useWords();
  const bell = useBell();
  const theme = useTheme();
  const language = useLanguage();
  const other = (Object.keys(LANGUAGES) as Language[]).find(name => name !== language)!;
  const nextTheme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const rung = async () => {
    const now = await ring();
    if (now === 'refused') say(w.tools.noticesRefused);
    if (now === 'on') say(w.tools.noticesOn);
  };
  const themeLabel = w.tools.theme(w.tools.themes[theme]!);
  return (
    <div className="tools">
      <button
        type="button"
        className="plain"
        aria-pressed={bell === 'on'}
        aria-label={w.tools.notices}
        title={w.tools.notices}
        onClick={() => void rung()}
      >
        {bellSign}
      </button>
      <button
        type="button"
        className="plain"
        aria-label={themeLabel}
        title={themeLabel}
        onClick={() => chooseTheme(nextTheme)}
      >
        {themeSigns[theme]}
      </button>
      <button
        type="button"
        className="plain"
        title={LANGUAGES[other].name}
        onClick={() => chooseLanguage(other)}
      >
        {other.toUpperCase()}
        <span className="unseen" lang={other}>
          {LANGUAGES[other].name}
        </span>
      </button>
      <button type="button" className="plain" aria-label={w.tools.help} title={w.tools.help} onClick={help}>
        ?
      </button>
    </div>
  );
}

function KeyboardHelp({ close }: { close: () => void }) {
  const w = useWords();
  return (
    <Dialog title={w.help.title} close={close}>
      <dl className="keys">
        {Object.entries(w.help.keys).map(([keys, meaning]) => (
          <KeyLine key={keys} keys={keys} meaning={meaning} />
        ))}
      </dl>
      <button type="button" onClick={close}>
        {w.state.close}
      </button>
    </Dialog>
  );
}
const KeyLine = ({ keys, meaning }: { keys: string; meaning: string }) => (
  <>
    <dt className="row">
      {keys.split(' ').map(key => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dt>
    <dd>{meaning}</dd>
  </>
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
