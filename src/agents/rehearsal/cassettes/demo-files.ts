/** The sample project of `dure demo`, its briefing, and the files written during the run. */

export const demoProject: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "postbox",
  "version": "1.0.0",
  "description": "Small things a blog needs.",
  "license": "MIT",
  "type": "module",
  "exports": "./src/index.js",
  "scripts": { "test": "node --test test/titles.test.js" }
}
`,
  'README.md': `# postbox

Small things a blog needs.

- \`titled(text)\`: the first line of a post, as its title.
`,
  // Keeps the demo short.
  '.dure/config/global.json': '{ "proof": { "rounds": 2, "budget_s": 60, "mutants": 4 } }\n',
  '.gitignore': 'node_modules/\n',
  'src/index.js': "export { titled } from './titles.js';\n",
  'src/titles.js': `/** The first non-empty line of a post, without Markdown heading markers. */
export const titled = text => (text.split('\\n').find(line => line.trim()) ?? '').replace(/^[#\\s]+/, '').trim();
`,
  'test/titles.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titled } from '../src/index.js';

test('the title is the first line that says something', () => {
  assert.equal(titled('\\n# Hello there\\n\\nText'), 'Hello there');
});
`,
};

export const demoBriefing = `# Addresses for posts

Add \`slugify(title)\` to postbox: it makes the address of a post from its title, so that
"Hello, World!" lives at \`hello-world\`.

- lower case, words joined by single hyphens
- at most 60 characters
- treat letters like é or 東 appropriately
- exported from \`src/index.js\`, no dependencies
`;

/** The Refiner asks this because "appropriately" in the briefing could mean either option. */
export const lettersQuestion = {
  type: 'clarification',
  question: 'Which letters may an address have?',
  context:
    'The briefing says that letters like é or 東 should be treated "appropriately". Links cannot be changed later.',
  options: [
    {
      id: 'A',
      label: 'Plain a-z and digits',
      description: '"Crème Brûlée" becomes creme-brulee; letters of other scripts are left out.',
      risk: 'A title that is all in another script has no address of its own.',
    },
    {
      id: 'B',
      label: 'Letters of every script',
      description: '"Crème Brûlée" becomes crème-brûlée, and 東京 stays 東京.',
      risk: 'Some programs show such links percent-encoded.',
    },
  ],
  recommendation: 'A',
};

export const refinedBriefing = `# Addresses for posts (refined)

\`slugify(title)\` makes the address of a post from its title.

1. Lower case; words are joined by single hyphens; no hyphen at either end.
2. At most 60 characters. A cut leaves no hyphen at the end.
3. Which letters may stay: the person decided **{{answer}}**
   (A: plain a-z and digits, accents are removed; B: letters of every script stay).
4. A title without any such letter gives \`untitled\`.
5. Anything but a string throws a \`TypeError\`.
6. Exported from \`src/index.js\`; no dependencies; a line in the README.

## Acceptance criteria
- AC-1: \`slugify("Hello, World!")\` gives \`hello-world\`: lower case, words joined by single hyphens,
  no hyphen at either end.
- AC-2: An address has at most 60 characters, and a cut leaves no hyphen at the end.
- AC-3: Letters with accents and of other scripts are treated as the person decided.
- AC-4: A title without any such letter, including an empty one, gives \`untitled\`.
- AC-5: \`slugify(42)\` throws a \`TypeError\`.
- AC-6 (look): The README has a line on \`slugify\`.
`;

const slugify = (cut: string) => `import { LETTERS } from './letters.js';

export const MAX_LENGTH = 60;

/** The address of a post: "Hello, World!" lives at hello-world. */
export function slugify(title) {
  if (typeof title !== 'string') throw new TypeError('the title must be a string');
  const text = LETTERS === 'ascii' ? title.normalize('NFKD').replace(/\\p{M}/gu, '') : title.normalize('NFC');
  const words = text.toLowerCase().match(LETTERS === 'ascii' ? /[a-z0-9]+/g : /[\\p{L}\\p{M}\\p{N}]+/gu) ?? [];
  return words.join('-')${cut} || 'untitled';
}
`;

/** The first attempt has a mistake: after truncation, the slug may end with a hyphen. */
export const slugifyAtFirst = slugify('.slice(0, MAX_LENGTH)');
export const slugifyFixed = slugify(".slice(0, MAX_LENGTH).replace(/-$/, '')");

export const indexModule = `export { LETTERS } from './letters.js';
export { slugify } from './slugify.js';
export { titled } from './titles.js';
`;

export const readmeFile = `${demoProject['README.md']}- \`slugify(title)\`: the address of a post, from its title.
`;

/**
 * Writes the user's decision into the code. This has to be a command, because the decision is only known when the move
 * is played.
 */
export const writeLetters = `case "$decision" in
  B) letters=unicode ;;
  *) letters=ascii ;;
esac
cat > builder/output/src/letters.js <<END
/** Which letters an address may have: 'ascii' or 'unicode'. A person decided it. */
export const LETTERS = '$letters';
END`;

const slugifyTests = (error: string) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as postbox from '../src/index.js';

const slugify = title => postbox.slugify(title);
const either = (ascii, unicode) => (postbox.LETTERS === 'ascii' ? ascii : unicode);

test('AC-1: words are joined by hyphens, in lower case', () => assert.equal(slugify('Hello, World!'), 'hello-world'));
test('AC-1: any separators between words become one hyphen', () => assert.equal(slugify('a  -- b...c'), 'a-b-c'));
test('AC-1: no hyphen at either end', () => assert.equal(slugify(' (draft) '), 'draft'));
test('AC-1: digits stay', () => assert.equal(slugify('Top 10 of 2026'), 'top-10-of-2026'));
test('AC-3: accents', () => assert.equal(slugify('Crème Brûlée'), either('creme-brulee', 'crème-brûlée')));
test('AC-3: combining accents', () => assert.equal(slugify('Cafe\\u0301'), either('cafe', 'café')));
test('AC-3: other scripts', () => assert.equal(slugify('東京 2020'), either('2020', '東京-2020')));
test('AC-4: a title without letters', () => assert.equal(slugify('?!'), 'untitled'));
test('AC-4: an empty title', () => assert.equal(slugify(''), 'untitled'));
test('AC-2: sixty characters are not too long', () => assert.equal(slugify('a'.repeat(60)), 'a'.repeat(60)));
test('AC-2: a cut leaves no hyphen at the end', () => {
  const slug = slugify('a'.repeat(59) + ' and so on');
  assert.equal(slug, 'a'.repeat(59));
});
test('AC-5: anything but a string is refused', () => assert.throws(() => slugify(42), ${error}));
`;

/** Calling a function that does not exist throws a TypeError too, so the test of AC-5 also passes without slugify. */
export const hollowTests = slugifyTests('TypeError');
export const testsFixed = slugifyTests('/the title must be a string/');

export const testCommand = 'node --test --test-reporter=tap test/slugify.test.mjs';
