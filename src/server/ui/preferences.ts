/** Theme, language and diff layout of the web UI. They are stored in this browser and apply to all tabs. */
import { useSyncExternalStore } from 'react';
import { en, type Words } from '../../words/pages/en.ts';
import { ko } from '../../words/pages/ko.ts';
import { createStore } from './create-store.ts';
import type { Layout } from './diff/diff-rows.ts';

export const LANGUAGES = { en, ko } as const;
export type PageLanguage = keyof typeof LANGUAGES;
export const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

function choice<T extends string>(
  key: string,
  allowed: readonly T[],
  byDefault: () => T,
  apply: (value: T) => void,
) {
  const read = (): T => {
    const kept = localStorage.getItem(key) as T | null;
    return kept && allowed.includes(kept) ? kept : byDefault();
  };
  const store = createStore(read());
  const setValue = (next: T) => {
    apply(next);
    store.set(next);
  };
  addEventListener('storage', event => {
    if (event.key === key) setValue(read());
  });
  apply(store.now());
  return {
    use: store.use,
    now: store.now,
    choose: (next: T) => {
      setValue(next);
      localStorage.setItem(key, next);
    },
  };
}

const language = choice<PageLanguage>(
  'dure.language',
  Object.keys(LANGUAGES) as PageLanguage[],
  () => (navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en'),
  value => {
    document.documentElement.lang = value;
  },
);
export const useLanguage = language.use;
export const chooseLanguage = language.choose;
export const useWords = (): Words => LANGUAGES[language.use()];
export const pageLanguage = language.now;
/** The current catalogue, for use outside components. */
export const pageWords = (): Words => LANGUAGES[language.now()];

const theme = choice<Theme>(
  'dure.theme',
  THEMES,
  () => 'auto',
  value => {
    document.documentElement.dataset['theme'] = value;
  },
);
export const useTheme = theme.use;
export const chooseTheme = theme.choose;

const layout = choice<Layout>(
  'dure.diff',
  ['unified', 'split'],
  () => 'unified',
  () => {},
);
export const chooseLayout = layout.choose;
const isWide = matchMedia('(min-width: 901px)');
/** The diff layout: the chosen one, or `unified` in a window that is too narrow for two sides. */
export const useLayout = (): Layout => {
  const chosen = layout.use();
  const wide = useSyncExternalStore(
    onChange => {
      isWide.addEventListener('change', onChange);
      return () => isWide.removeEventListener('change', onChange);
    },
    () => isWide.matches,
  );
  return wide ? chosen : 'unified';
};
