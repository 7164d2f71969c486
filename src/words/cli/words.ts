/**
 * The language the command line speaks: the one of the locale, or of DURE_LANG. Only people are spoken to in it; what
 * programs read (JSON, events.log) stays English. A language other than English is loaded when it is wanted.
 */
import { type CliWords, en } from './en.ts';

export type { CliWords, Told } from './en.ts';
export type Language = 'en' | 'ko';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first that is set decides, as it does for other programs. */
export function languageOf(env: Environment): Language {
  const { DURE_LANG, LC_ALL, LC_MESSAGES, LANG } = env;
  const wanted = [DURE_LANG, LC_ALL, LC_MESSAGES, LANG].find(Boolean) ?? '';
  return /^ko(?:[_.@-]|$)/i.test(wanted) ? 'ko' : 'en';
}

let spoken: CliWords = en;

/** Called once, before anything is said. */
export async function speak(env: Environment = process.env): Promise<void> {
  spoken = languageOf(env) === 'ko' ? (await import('./ko.ts')).ko : en;
}

export const words = (): CliWords => spoken;
