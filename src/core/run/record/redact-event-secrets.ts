/** Hides secrets in an event before it is recorded and published. */
import type { RunEvent } from '../../../formats/events/events.ts';
import { valueWithoutSecrets } from '../../../process/redact-secrets.ts';

/** Fields with text from agents, programs and people. All others are ids, hashes, paths and numbers. */
const TEXTS: readonly string[] = [
  ...['message', 'reason', 'question', 'crp', 'problem', 'summary', 'rationale', 'issues', 'lowered'],
];

export const eventWithoutSecrets = <E extends RunEvent>(event: E): E =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      TEXTS.includes(name) ? valueWithoutSecrets(value) : value,
    ]),
  ) as E;
