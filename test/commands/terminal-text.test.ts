import { describe, expect, it } from 'vitest';
import manifest from '../../oclif.manifest.json' with { type: 'json' };
import { durationText } from '../../src/terminal/format-times-and-costs.ts';
import { byUse } from '../../src/terminal/help.ts';
import { nearest } from '../../src/terminal/nearest-name.ts';
import { cells, oneLineText, shorten, table, wrap } from '../../src/terminal/text-layout.ts';
import { statusView } from '../../src/terminal/views/status-view.ts';
import { money } from '../../src/words/format-amounts.ts';
import { NOW, RUN_ID, sampleState } from '../helpers/sample-values.ts';

describe('the view of a run', () => {
  it('shortens a briefing that is one long word', () => {
    const said = statusView({ state: sampleState(), damage: null }, 'x'.repeat(1000), Date.parse(NOW), 80);
    expect(said.split('\n').every(line => cells(line) <= 80)).toBe(true);
  });

  it('shows the cost as a lower bound if a launch reported none, even while another launch is running', () => {
    const tokens = {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    const shown = (complete: boolean) =>
      statusView(
        {
          state: sampleState(undefined, {
            usage: { refiner: { cost_usd: 1.2, complete, ...tokens } },
            open: [{ launch: 2, role: 'builder', step: 'build' }],
          }),
          damage: null,
        },
        '',
        Date.parse(NOW),
        100,
      );
    expect(shown(true)).toMatch(/· \$1\.20$/m);
    expect(shown(false)).toMatch(/· at least \$1\.20$/m);
  });

  it('says why an agent is delayed; once the agent exceeds its time limit, names the commands to use', () => {
    const late = { phase: 'build', step: 'build', since: NOW, timeout_noticed: true };
    const said = statusView({ state: sampleState(undefined, late), damage: null }, '', Date.parse(NOW), 100);
    expect(said).toMatch(/The builder has exceeded its time limit/i);
    for (const command of ['extend', 'retry', 'stop']) expect(said).toContain(`dure ${command} ${RUN_ID}`);
    const refused = { ...late, delayed: 'the API returned 429 (rate_limit)' };
    const held = statusView(
      { state: sampleState(undefined, refused), damage: null },
      '',
      Date.parse(NOW),
      100,
    );
    expect(held).toMatch(/waiting for its API: the API returned 429 \(rate_limit\)/);
    const over = { ...late, phase: 'stopped' };
    expect(
      statusView({ state: sampleState(undefined, over), damage: null }, '', Date.parse(NOW), 100),
    ).not.toContain('dure extend');
  });
});

describe('the order of commands in help', () => {
  it('lists all top-level commands in the order you would use them', () => {
    const ids = Object.keys(manifest.commands)
      .filter(id => !id.includes(':') && !id.startsWith('__'))
      .map(id => ({ id }));
    const strange = { id: 'a-command-of-a-plugin' };
    const said = byUse([strange, ...ids]).map(({ id }) => id);
    expect(said.slice(0, 4)).toEqual(['init', 'doctor', 'start', 'status']);
    expect(said.indexOf('review')).toBeLessThan(said.indexOf('approve'));
    expect(said.at(-1)).toBe(strange.id);
  });
});

describe('formatting text for a terminal', () => {
  it('measures the width at which a terminal shows Korean text, combining marks and coloured text', () => {
    expect(cells('한국어')).toBe(6);
    expect(cells('é'.normalize('NFD'))).toBe(1);
    expect(cells('\u001b[31mred\u001b[0m')).toBe(3);
  });

  it('truncates to the width with an ellipsis', () => {
    expect(shorten('한국어 문장', 6)).toBe('한국…');
    expect(shorten('short', 6)).toBe('short');
  });

  it('wraps at spaces, keeps the indent, and does not split a long word', () => {
    expect(wrap('one two three four five six', 22, '  ')).toBe('  one two three four\n  five six');
    expect(wrap('a https://example.com/a/very/long/address/indeed b', 20)).toBe(
      'a\nhttps://example.com/a/very/long/address/indeed\nb',
    );
  });

  it('does not split a command in backticks, so that it can be copied', () => {
    expect(wrap('Now run `dure config set max_iterations 4` in a shell', 24, '  ')).toBe(
      '  Now run\n  `dure config set max_iterations 4`\n  in a shell',
    );
  });

  it('never lets text from agents move the cursor or reorder text', () => {
    expect(oneLineText('a\u001b[2Jb\nc\u202ed\u0007')).toBe('ab cd');
    expect(wrap('a\u001b]0;title\u0007b\u001b[1A', 40)).toBe('ab');
  });

  it('gives the last column the remaining width', () => {
    const rows = [
      ['run-1', 'build', 'a long briefing indeed'],
      ['r', 'x', 'short'],
    ];
    expect(table(rows, 28)).toBe('run-1  build  a long briefi…\nr      x      short');
  });

  it.each([
    [900, '1s'],
    [59_400, '59s'],
    [61_000, '1m 01s'],
    [7_620_000, '2h 07m'],
  ])('shows %i ms as %s', (ms, said) => {
    expect(durationText(ms)).toBe(said);
  });

  it('shows fractions of a cent only where they matter', () => {
    expect([money(0), money(0.0123), money(3.456)]).toEqual(['$0.00', '$0.0123', '$3.46']);
  });
});

describe('the closest name', () => {
  it('is suggested for a typo, but only if it is similar', () => {
    const known = ['start', 'status', 'stop', 'history'];
    expect(nearest('stauts', known)).toBe('status');
    expect(nearest('histroy', known)).toBe('history');
    expect(nearest('frobnicate', known)).toBeNull();
    expect(nearest('nope', ['open', 'stop', 'help'])).toBeNull();
  });
});
