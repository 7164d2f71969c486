/** Reads the preferred language of a request from its headers, and writes refusals in that language. */
import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import type { Language } from '../../words/cli/load-language.ts';
import { type Refused, refusedBy } from './error-response.ts';

export const requestLanguage = (request: IncomingMessage): Language =>
  express.request.acceptsLanguages.call(request as Request, 'en', 'ko') === 'ko' ? 'ko' : 'en';

export async function refusedIn(language: Language, error: unknown, root: string): Promise<Refused> {
  const refused = refusedBy(error, root);
  if (language === 'en') return refused;
  const { koreanRefusal } = await import('./korean-refusal.ts');
  return { ...refused, body: { ok: false, error: koreanRefusal(error, refused.body.error, root) } };
}
