/** Values of secret variables and tokens of known formats are replaced; other text stays as it is. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  learnSecrets,
  secretFilter,
  valueWithoutSecrets,
  withoutSecrets,
} from '../../src/process/redact-secrets.ts';

const letters = (n: number) => 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8cF0'.repeat(10).slice(0, n);
const TOKENS: Record<string, string> = {
  'Anthropic key': `sk-ant-api03-${letters(40)}-_${letters(20)}AA`,
  'OpenAI key': `sk-proj-${letters(48)}`,
  'GitHub token': `ghp_${letters(36)}`,
  'GitLab token': `glpat-${letters(20)}`,
  'npm token': `npm_${letters(36)}`,
  'PyPI token': `pypi-AgEIcHlwaS5vcmc${letters(60)}`,
  'AWS key': 'AKIAQYLPMN5HHHTFAKE7',
  'Google key': `AIza${letters(35)}`,
  'Slack token': `xoxb-1234567890-${letters(24)}`,
  'Stripe key': `sk_live_${letters(24)}`,
  'SendGrid key': `SG.${letters(22)}.${letters(43)}`,
  'Hugging Face token': `hf_${'abCdEfGh'.repeat(5).slice(0, 34)}`,
  'JSON Web Token': `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`,
  'private key': `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(200)}\n-----END OPENSSH PRIVATE KEY-----`,
};

test.each(Object.entries(TOKENS))('a token is replaced: %s', (name, token) => {
  expect(withoutSecrets(`before ${token} after`)).toBe(`before [secret: ${name}] after`);
  const inJson = JSON.stringify({ type: 'text', text: `"a\n${token}"\n` });
  const hidden = { type: 'text', text: `"a\n[secret: ${name}]"\n` };
  expect(JSON.parse(withoutSecrets(inJson))).toEqual(hidden);
});

test('the password in a URL and the credentials in an authorization header are replaced', () => {
  expect(withoutSecrets('fatal: https://ann:s3cr3tpass@example.org/x.git')).toBe(
    'fatal: https://ann:[secret: password]@example.org/x.git',
  );
  expect(withoutSecrets('> Authorization: Bearer abc.def-123456')).toBe(
    '> Authorization: Bearer [secret: authorization]',
  );
});

test('the values of variables whose names look secret are replaced, including in JSON', () => {
  const quoted = 'pa"ss\\word 9';
  const env = {
    ACME_API_KEY: 'k-9f8e7d6c5b',
    DB_PASSWORD: quoted,
    MY_TOKEN: 'k-9f8e7d6c5b-longer',
    MAX_OUTPUT_TOKENS: '64000000',
    SSH_AUTH_SOCK: '/tmp/ssh-1234/agent.1',
    POSTGRES_PASSWORD: 'postgres',
    MONKEY_BUSINESS: 'bananas-and-more',
    TOKEN: 'short',
    GITHUB_TOKEN: '',
  };
  learnSecrets(env);
  expect(withoutSecrets('k-9f8e7d6c5b-longer, k-9f8e7d6c5b')).toBe(
    '[secret: MY_TOKEN], [secret: ACME_API_KEY]',
  );
  expect(JSON.parse(withoutSecrets(JSON.stringify({ of: quoted })))).toEqual({ of: '[secret: DB_PASSWORD]' });
  const rest = `64000000 /tmp/ssh-1234/agent.1 postgres bananas-and-more short`;
  expect(withoutSecrets(rest)).toBe(rest);
  const value = { n: 1, none: null, list: ['k-9f8e7d6c5b'], 'k-9f8e7d6c5b': true };
  expect(valueWithoutSecrets(value)).toEqual({ ...value, list: ['[secret: ACME_API_KEY]'] });
});

test('hashes, ids, paths, code and prose are left alone', () => {
  const sources = ['package-lock.json', 'src/process/redact-secrets.ts', 'README.md'];
  // The text is the same in each run, because a random hash may happen to look like a token.
  const ids = Array.from({ length: 200 }, (_, n) => {
    const [sha1, sha256] = ['sha1', 'sha256'].map(name => createHash(name).update(`${n}`).digest('hex'));
    const uuid = sha1!.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    return [uuid, sha1, sha256, `sha512-${createHash('sha512').update(`${n}`).digest('base64')}`];
  });
  for (const text of [...sources.map(file => readFileSync(file, 'utf8')), ids.flat().join('\n')])
    expect(withoutSecrets(text)).toBe(text);
});

test('a secret that is printed in pieces is found, and every character of other output is kept', () => {
  const token = TOKENS['GitHub token']!;
  const bytes = Buffer.from(`häl${'.'.repeat(5000)}lo ${token}\nend, ${token}`);
  let shown = '';
  const filter = secretFilter(text => {
    shown += text;
  });
  for (let at = 0; at < bytes.length; at += 7) filter.push(bytes.subarray(at, at + 7));
  filter.end();
  expect(shown).toBe(`häl${'.'.repeat(5000)}lo [secret: GitHub token]\nend, [secret: GitHub token]`);
});

test('a long word is scanned only once', () => {
  const text = `${'A'.repeat(500_000)}\n`;
  let shown = '';
  const filter = secretFilter(part => {
    shown += part;
  });
  filter.push(Buffer.from(text));
  filter.end();
  expect(shown).toBe(text);
  const starts = 'eyJaaaaaaaaaa-'.repeat(50_000);
  expect(withoutSecrets(starts)).toBe(starts);
});

test('a private key and a multi-line value are found in output that arrives line by line', () => {
  const value = JSON.stringify({ type: 'service', private: letters(40) }, null, 2);
  learnSecrets({ CLOUD_CREDENTIALS: value });
  const body = `${letters(64)}\n`.repeat(20);
  const text = `a\n-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\nb\n${value}\nc\n`;
  let shown = '';
  const filter = secretFilter(part => {
    shown += part;
  });
  for (const line of text.match(/.*\n/g)!) filter.push(Buffer.from(line));
  filter.end();
  expect(shown).not.toContain(letters(40));
  expect(shown).toMatch(/^a\n\[secret: private key\][^a-z]*\nb\n\{\n/);
  expect(shown).toMatch(/\nc\n$/);
  filter.push(Buffer.from(`-----BEGIN CERTIFICATE-----\n${body}`));
  expect(shown).toContain(letters(64));
});
