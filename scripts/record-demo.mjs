/**
 * Records `dure demo` for the README: types in a real terminal (tmux), reads the screen many times per second, and
 * writes docs/images/demo.svg. It shows only what was on the screen. Without animation, or with reduced motion, it
 * shows the last screen.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const COLUMNS = 86;
/** Tall enough that nothing scrolls off the screen; the picture does its own scrolling. */
const ROWS = 140;
const SHOWN = 32;
const EVERY_MS = 200;
const PATIENCE_MS = 60_000;
const HOLD_MS = 9000;

/** What to type when the end of the screen matches a pattern, and the pause before it. */
const TYPED = [
  [/\$ $/, 'dure demo', 600],
  [/Your choice .*: $/, 'A', 4500],
  [/Why\? .* $/, '', 900],
  [/later runs too\? \[y\/N\] $/, '', 900],
  [/merge\? \[Y\/n\] $/, 'y', 3500],
  [/\$ $/, null, 0],
];

async function record() {
  const dir = mkdtempSync(join(tmpdir(), 'dure-record-'));
  const socket = join(dir, 'tmux');
  const tmux = (...args) =>
    execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  install(dir);
  const shell = [
    ...['env', '-u', 'CI', '-u', 'NO_COLOR', 'PS1=$ ', `PATH=${join(dir, 'bin')}:${process.env.PATH}`],
    ...['TERM=screen-256color', 'LANG=C.UTF-8', 'LC_ALL=C.UTF-8', 'sh', '-i'],
  ];
  const frames = [];
  const began = performance.now();
  const look = () => {
    const screen = tmux('capture-pane', '-e', '-p', '-N', '-t', 'demo').split('\n');
    frames.push({ at: performance.now() - began, rows: onTheirOwn(screen) });
    const [x, y] = tmux('display-message', '-p', '-t', 'demo', '#{cursor_x} #{cursor_y}')
      .split(' ')
      .map(Number);
    return plain(screen[y] ?? '')
      .padEnd(x)
      .slice(0, x);
  };
  try {
    tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), '-s', 'demo', ...shell);
    for (const [prompt, answer, readingMs] of TYPED) {
      await shows(prompt, look);
      for (const until = performance.now() + readingMs; performance.now() < until; await pause(EVERY_MS))
        look();
      if (answer === null) break;
      for (const key of answer) {
        tmux('send-keys', '-t', 'demo', '-l', key);
        await pause(60);
        look();
      }
      tmux('send-keys', '-t', 'demo', 'Enter');
      await pause(2 * EVERY_MS);
    }
    return frames;
  } finally {
    tmux('kill-server');
    const project = /\/\S*dure-demo-\w+/.exec(frames.at(-1)?.rows.map(plain).join('\n') ?? '')?.[0];
    if (project) rmSync(project, { recursive: true, force: true, maxRetries: 20 });
    rmSync(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Installs `bin/run.js` as the command `dure`, as npm would. */
function install(dir) {
  for (const folder of ['bin', 'lib']) mkdirSync(join(dir, folder));
  const script = join(dir, 'lib', 'dure');
  symlinkSync(join(root, 'bin', 'run.js'), script);
  writeFileSync(join(dir, 'bin', 'dure'), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, {
    mode: 0o755,
  });
}

async function shows(prompt, look) {
  let said = '';
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(EVERY_MS)) {
    said = look();
    if (prompt.test(said)) return;
  }
  throw new Error(`the screen should end with ${prompt}, and ends with: ${said}`);
}

/** Makes each row set its own colour: in tmux's output, a colour carries over to the next row. */
function onTheirOwn(rows) {
  let before = '';
  return rows.map(row => {
    const whole = before + row.trimEnd();
    for (const [mark, codes] of row.matchAll(SGR)) before = /^0?(;|$)/.test(codes) ? mark : before + mark;
    return whole;
  });
}

const SGR = /\x1b\[([\d;]*)m/g;
const plain = row => row.replaceAll(SGR, '');

const COLOURS = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan', 90: 'dim' };

/** Splits a row into pieces, each in one style: `{ text, column, classes }`. Exported for its test. */
export function pieces(row) {
  const found = [];
  let [at, column] = [0, 0];
  let [colour, bold, dim] = ['', false, false];
  const put = text => {
    if (text.trim() !== '') {
      const classes = [colour, bold && 'bold', dim && 'dim'].filter(Boolean).join(' ');
      const indent = text.length - text.trimStart().length;
      found.push({ text: text.trim(), column: column + indent, classes });
    }
    column += cells(text);
  };
  for (const match of row.matchAll(SGR)) {
    put(row.slice(at, match.index));
    at = match.index + match[0].length;
    for (const code of match[1].split(';').map(Number)) {
      if (code === 0) [colour, bold, dim] = ['', false, false];
      else if (code === 1) bold = true;
      else if (code === 2) dim = true;
      else if (code === 22) [bold, dim] = [false, false];
      else if (code === 39) colour = '';
      else if (code in COLOURS) colour = COLOURS[code];
    }
  }
  put(row.slice(at));
  return found;
}

/** East Asian characters are two cells wide. */
const cells = text =>
  [...text].reduce(
    (sum, c) => sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/.test(c) ? 2 : 1),
    0,
  );

const escaped = text => text.replace(/[&<>]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

const [CELL, LINE, MARGIN, BAR] = [8.2, 18, 16, 30];

/** Renders frames `{ at, rows }` as one picture with an infinite animation. Exported for its test. */
export function drawn(frames, hold = HOLD_MS) {
  const end = frames.at(-1).at + hold;
  const percent = ms =>
    `${Math.min(100, (ms / end) * 100)
      .toFixed(2)
      .replace(/\.?0+$/, '')}%`;
  const styles = new Map();
  /**
   * Returns a class whose elements are visible from `from` to `to`; without animation, they are visible only if
   * `to` is the end.
   */
  const seen = (from, to) => {
    const last = to >= end;
    if (from <= 0 && last) return '';
    const key = `${percent(from)} ${percent(to)}`;
    const name = styles.get(key)?.name ?? `t${styles.size}`;
    const steps = `${from > 0 ? '0%{visibility:hidden}' : ''}${percent(from)}{visibility:visible}${last ? '' : `${percent(to)}{visibility:hidden}`}`;
    const rule = `.${name}{${last ? '' : 'visibility:hidden;'}animation:${name} var(--t) step-end infinite}@keyframes ${name}{${steps}}`;
    styles.set(key, { name, rule });
    return name;
  };

  const height = Math.max(...frames.map(({ rows }) => lastRow(rows) + 1));
  const lines = Array.from({ length: height }, (_, y) =>
    spans(frames, y, end).map(span => line(span, y, seen)),
  );
  const steps = [];
  for (const { at, rows } of frames) {
    const up = Math.max(0, lastRow(rows) + 1 - SHOWN);
    if (up !== (steps.at(-1)?.up ?? 0)) steps.push({ at, up });
  }
  const up = steps.at(-1)?.up ?? 0;
  const scroll = [{ at: 0, up: 0 }, ...steps]
    .map(step => `${percent(step.at)}{transform:translateY(-${step.up * LINE}px)}`)
    .join('');
  const [width, inside] = [Math.ceil(COLUMNS * CELL + 2 * MARGIN), SHOWN * LINE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${inside + BAR + MARGIN}" role="img" aria-label="A recording of dure demo in a terminal">
<style>
:root{--t:${(end / 1000).toFixed(1)}s}
text{font:13.6px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6dbe4;white-space:pre}
.bold{font-weight:700}.dim{fill:#8b94a7}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}
#page{transform:translateY(-${up * LINE}px);animation:page var(--t) step-end infinite}@keyframes page{${scroll}}
${[...styles.values()].map(({ rule }) => rule).join('\n')}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
</style>
<rect width="100%" height="100%" rx="10" fill="#12161f"/>
<circle cx="20" cy="17" r="5.5" fill="#ff5f57"/><circle cx="38" cy="17" r="5.5" fill="#febc2e"/><circle cx="56" cy="17" r="5.5" fill="#28c840"/>
<svg x="${MARGIN}" y="${BAR}" width="${width - 2 * MARGIN}" height="${inside}"><g id="page">
${lines.flat().filter(Boolean).join('\n')}
</g></svg>
</svg>
`;
}

const lastRow = rows => rows.findLastIndex(row => plain(row).trim() !== '');

/** Returns the periods in which row `y` stays the same, with its contents. */
function spans(frames, y, end) {
  const found = [];
  for (const { at, rows } of frames) {
    const row = rows[y] ?? '';
    if (found.at(-1)?.row === row) continue;
    if (found.length > 0) found.at(-1).to = at;
    found.push({ row, from: found.length === 0 ? 0 : at, to: end });
  }
  return found;
}

function line({ row, from, to }, y, seen) {
  const parts = pieces(row);
  if (parts.length === 0) return '';
  const when = seen(from, to);
  const base = y * LINE + 13;
  const spans = parts.map(({ text, column, classes }) => {
    const look = classes ? ` class="${classes}"` : '';
    return `<tspan x="${+(column * CELL).toFixed(1)}"${look}>${escaped(text)}</tspan>`;
  });
  return `<text y="${base}"${when ? ` class="${when}"` : ''}>${spans.join('')}</text>`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'docs', 'images', 'demo.svg');
  const svg = drawn(await record());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, svg);
  console.log(`${file}: ${(svg.length / 1000).toFixed(1)} kB`);
}
