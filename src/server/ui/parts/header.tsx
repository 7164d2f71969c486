/** The page header: navigation, number of waiting runs, and browser preferences. */
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { Words } from '../../../words/pages/en.ts';
import { useConnectionState } from '../connection/socket.ts';
import { enableNotifications, useNotifications } from '../desktop-notifications.ts';
import {
  chooseLanguage,
  chooseTheme,
  LANGUAGES,
  type PageLanguage,
  THEMES,
  useLanguage,
  useTheme,
  useWords,
} from '../preferences.ts';
import { overviewQuery } from '../queries.ts';
import { useWaiting } from '../tab-title.ts';
import { bellIcon, themeIcons } from './icons.tsx';
import { showToast } from './toast.tsx';

export const navigationLinks = (w: Words) =>
  [
    ['/', w.places.overview],
    ['/run/new', w.places.create],
    ['/history', w.places.history],
    ['/settings', w.places.settings],
  ] as const;

export function Header({ help }: { help: () => void }) {
  const w = useWords();
  const [path] = useLocation();
  const link = useConnectionState();
  const { data } = useQuery({ ...overviewQuery, enabled: link !== 'locked' });
  const waiting = data?.waiting.length ?? 0;
  useWaiting(waiting);
  useReloadAfterUpgrade(data?.version);
  return (
    <header className="masthead">
      <div className="masthead-row">
        <Link href="/" className="brand">
          Dure
        </Link>
        <nav className="places" aria-label={w.places.nav}>
          {navigationLinks(w).map(([href, label]) => (
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

/**
 * Reloads the page after the server was upgraded, because an old page may misunderstand a new server. No draft is lost:
 * drafts are kept in the browser.
 */
function useReloadAfterUpgrade(version: string | undefined): void {
  const loaded = useRef(version);
  useEffect(() => {
    loaded.current ??= version;
    if (loaded.current !== version) location.reload();
  }, [version]);
}

function Tools({ help }: { help: () => void }) {
  const w = useWords();
  const bell = useNotifications();
  const theme = useTheme();
  const language = useLanguage();
  const other = (Object.keys(LANGUAGES) as PageLanguage[]).find(name => name !== language)!;
  const rung = async () => {
    const now = await enableNotifications();
    if (now === 'refused') showToast(w.tools.noticesRefused);
    if (now === 'on') showToast(w.tools.noticesOn);
  };
  return (
    <div className="tools">
      <Tool label={w.tools.notices} aria-pressed={bell === 'on'} onClick={() => void rung()}>
        {bellIcon}
      </Tool>
      <Tool
        label={w.tools.theme(w.tools.themes[theme]!)}
        onClick={() => chooseTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!)}
      >
        {themeIcons[theme]}
      </Tool>
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
      <Tool label={w.tools.help} onClick={help}>
        ?
      </Tool>
    </div>
  );
}

const Tool = ({ label, ...button }: ComponentProps<'button'> & { label: string }) => (
  <button type="button" className="plain" aria-label={label} title={label} {...button} />
);
