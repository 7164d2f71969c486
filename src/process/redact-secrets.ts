/**
 * Replaces secrets in text that Dure logs, stores or sends: values of environment variables whose names look
 * secret, and tokens of well-known formats. Secrets in sealed files, diffs and texts written by a person are never
 * replaced.
 */
import { StringDecoder } from 'node:string_decoder';
import { mapStrings } from '../formats/text/map-strings.ts';

const SECRET_NAME =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION)_?KEY|_KEY$|_AUTH$)(?:_|$)/i;
const MIN_LENGTH = 8;
/** Shorter lines of a multi-line value, such as a single brace, are not redacted: they occur in other text as well. */
const MIN_LINE_LENGTH = 16;
/** Paths, numbers and short words are not redacted: they occur in other text as well. */
const IS_ORDINARY = /^(?:[~.]{0,2}\/.*|[\d.]+|[A-Za-z]{1,15})$/;

/** Each format has a prefix or a context that is found only in secrets. */
const FORMATS: readonly (readonly [name: string, format: RegExp])[] = [
  ['Anthropic key', /sk-ant-[\w-]{16,}/],
  ['OpenAI key', /sk-(?:proj|svcacct|admin)-[\w-]{16,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/],
  ['GitHub token', /gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255}/],
  ['GitLab token', /gl(?:pat|dt|rt|ptt)-[\w-]{20,}/],
  ['npm token', /npm_[A-Za-z0-9]{36}/],
  ['PyPI token', /pypi-AgEIcHlwaS5vcmc[\w-]{50,}/],
  ['AWS key', /A(?:KIA|SIA)[A-Z2-7]{16}/],
  ['Google key', /AIza[\w-]{35}/],
  ['Slack token', /xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}/],
  ['Stripe key', /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}/],
  ['SendGrid key', /SG\.[\w-]{22}\.[\w-]{43}/],
  ['Hugging Face token', /hf_[A-Za-z]{34}/],
  ['JSON Web Token', /eyJ[\w-]{10,1000}\.eyJ[\w-]{10,8000}\.[\w-]{10,}/],
  [
    'private key',
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,10000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/,
  ],
  ['password', /(?<=:\/\/[^\s:@/"'\\]{0,100}:)[^\s:@/"'\\]{3,200}(?=@)/],
  ['authorization', /(?<=[Aa]uthorization["':=\s]{1,6}(?:[Bb]earer|[Bb]asic|token) )[\w.~+/=-]{8,}/],
];
/** A token does not start inside a word. In JSON, the letter before it may be part of an escape such as `\n`. */
const START = /(?<!\w(?<!\\[bfnrt]))/.source;
const ANY_FORMAT = new RegExp(`${START}(?:${FORMATS.map(([, { source }]) => `(${source})`).join('|')})`, 'g');

const mark = (name: string): string => `[secret: ${name}]`;

/** Secret values known to this process, with the names of their variables, longest first. */
let values: readonly (readonly [value: string, name: string])[] = [];

type Env = Readonly<Record<string, string | undefined>>;

/** Makes this process replace the values of secret variables in this environment from now on. */
export function learnSecrets(env: Env): void {
  const found = new Map(values);
  for (const [name, value = ''] of Object.entries(env)) {
    if (!SECRET_NAME.test(name) || value.length < MIN_LENGTH || IS_ORDINARY.test(value)) continue;
    // Programs print a value as it is, as part of JSON, or line by line.
    const lines = value.split(/\r?\n/).filter(line => line.length >= MIN_LINE_LENGTH);
    for (const spelling of [value, JSON.stringify(value).slice(1, -1), ...lines]) found.set(spelling, name);
  }
  values = [...found].sort(([a], [b]) => b.length - a.length);
}
learnSecrets(process.env);

export function withoutSecrets(text: string): string {
  let shown = text;
  for (const [value, name] of values) shown = shown.replaceAll(value, mark(name));
  return shown.replace(ANY_FORMAT, (_, ...groups) =>
    mark(FORMATS[groups.findIndex(group => group !== undefined)]![0]),
  );
}

/** Hides secrets in all strings of a JSON value, but not in its keys. */
export const valueWithoutSecrets = <T>(value: T): T => mapStrings(value, withoutSecrets);

/** Maximum number of characters that are held back until the rest of their word arrives. */
const MAX_WORD_LENGTH = 4096;

/** Finds the start of the last word. A regular expression would take quadratic time for a long word. */
function lastWordIn(text: string): number {
  let start = text.length;
  while (start > 0 && text.length - start <= MAX_WORD_LENGTH && !/\s/.test(text[start - 1]!)) start -= 1;
  return start;
}

const MAX_KEY_LENGTH = 10_000;
const OPEN_KEY = /-----BEGIN (?:[A-Z ]{0,40}|[A-Z ]{0,30}PRIVATE KEY-----[^-]*)$/;

/** Finds the start of an incomplete private key; returns the end of the text if there is none. */
function openKeyIn(text: string): number {
  const from = Math.max(0, text.length - MAX_KEY_LENGTH);
  const found = OPEN_KEY.exec(text.slice(from));
  return found ? from + found.index : text.length;
}

/** Filters output in chunks. Holds back a word or private key that may continue in the next chunk. */
export function secretFilter(write: (text: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let open = '';
  const pass = (text: string): void => {
    if (text !== '') write(withoutSecrets(text));
  };
  return {
    push(chunk) {
      open += decoder.write(chunk);
      const word = lastWordIn(open);
      const end = Math.min(open.length - word > MAX_WORD_LENGTH ? open.length : word, openKeyIn(open));
      pass(open.slice(0, end));
      open = open.slice(end);
    },
    end() {
      pass(open + decoder.end());
      open = '';
    },
  };
}
