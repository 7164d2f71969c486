/**
 * Selects the language of the command line by DURE_LANG or the locale. It applies only to text for people; JSON and
 * events.log stay English. Catalogues other than English are loaded on demand.
 */
import { type CliWords, enCli } from './en.ts';

export type { CliWords, ErrorText } from './en.ts';
export type Language = 'en' | 'ko';

type Environment = Readonly<Record<string, string | undefined>>;

/** As in other programs, the first variable that is set wins. */
export function languageOf(env: Environment): Language {
  const { DURE_LANG, LC_ALL, LC_MESSAGES, LANG } = env;
  const locale = [DURE_LANG, LC_ALL, LC_MESSAGES, LANG].find(Boolean) ?? '';
  return /^ko(?:[_.@-]|$)/i.test(locale) ? 'ko' : 'en';
}

let current: CliWords = enCli;

/** Loads the catalogue. Called once, before any output. */
export async function loadLanguage(env: Environment = process.env): Promise<void> {
  current = languageOf(env) === 'ko' ? (await import('./ko.ts')).koCli : enCli;
}

export const words = (): CliWords => current;
