import { describe, expect, test } from 'vitest';
import { render } from '../../../src/agents/streams/render-stream-event.ts';
import { plainText } from '../../../src/formats/text/plain-text.ts';
import fc from '../../helpers/fast-check-seed.ts';

const said = (...content: object[]) => ({ type: 'assistant', message: { content } });
const returned = (content: unknown, is_error = false) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content, is_error }] },
});

describe('the rendered stream', () => {
  test('shows text unchanged', () => {
    expect(render(said({ type: 'text', text: 'First line\n\tsecond' }))).toBe('First line\n\tsecond');
  });

  test('shows a tool call by its name and most important argument', () => {
    expect(
      render(said({ type: 'tool_use', name: 'Bash', input: { command: 'npm test', description: 'tests' } })),
    ).toBe('● Bash npm test');
    expect(
      render(said({ type: 'tool_use', name: 'Write', input: { file_path: '/a/b.ts', content: 'x' } })),
    ).toBe('● Write /a/b.ts');
    expect(render(said({ type: 'tool_use', name: 'Odd', input: { n: 1 } }))).toBe('● Odd {"n":1}');
  });

  test('shows the start of a tool result and the number of omitted lines', () => {
    expect(render(returned('one\ntwo\nthree\nfour\nfive\nsix\n'))).toBe(
      '  ⎿ one\n    two\n    three\n    four\n    … 2 more lines',
    );
    expect(render(returned([{ type: 'text', text: 'no such file' }], true))).toBe('  ✗ no such file');
    expect(render(returned('x'.repeat(5000)))!.length).toBeLessThan(300);
  });

  test('indents the output of a subagent below its tool call', () => {
    expect(render({ ...said({ type: 'text', text: 'a\nb' }), parent_tool_use_id: 'toolu_1' })).toBe(
      '  a\n  b',
    );
  });

  test('shows the outcome and the cost', () => {
    const result = {
      type: 'result',
      is_error: false,
      num_turns: 3,
      duration_ms: 12_300,
      total_cost_usd: 0.01234,
    };
    expect(render(result)).toBe('✓ done (3 turns, 12.3 s, session $0.0123)');
    expect(render({ ...result, is_error: true, errors: ['Reached maximum budget ($1)'] })).toContain(
      '✗ Reached maximum budget ($1)',
    );
    expect(render({ ...result, stop_reason: 'tool_deferred' })).toContain('waits for a person');
  });

  test('shows API retries', () => {
    const retry = {
      type: 'system',
      subtype: 'api_retry',
      error_status: 529,
      error: 'overloaded',
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 1500,
    };
    expect(render(retry)).toBe(
      '… the API request failed (529, overloaded); attempt 2 of 10 follows in 1.5 s',
    );
  });

  test('omits unimportant events', () => {
    expect(render({ type: 'stream_event', event: { type: 'content_block_delta' } })).toBeNull();
    expect(render({ type: 'control_response' })).toBeNull();
    expect(render({})).toBeNull();
  });
});

describe('sanitized output', () => {
  test.each([
    ['colour the screen', '\x1b[31mred\x1b[0m', 'red'],
    ['move the cursor', 'a\x1b[2J\x1b[1;1Hb', 'ab'],
    ['set the window title', '\x1b]0;you are root\x07text', 'text'],
    ['write to the clipboard', '\x1b]52;c;cm0gLXJm\x1b\\text', 'text'],
    ['contain links', '\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['send device control strings', '\x1bP$q"p\x1b\\text', 'text'],
    ['use eight-bit control characters', '\x9b31mtext\x9d0;title\x9c', 'text'],
    ['reset the terminal', '\x1bctext', 'text'],
    ['overwrite its own line', 'safe\rEVIL', 'safeEVIL'],
    ['ring the bell or move back', 'a\x07b\x08c\x7f', 'abc'],
    ['reorder text', 'a\u202eb\u2066c', 'abc'],
    ['hide the next line behind an open sequence', '\x1b]0;open\nnext line', '\nnext line'],
  ])('cannot %s', (_what, raw, clean) => {
    expect(plainText(raw)).toBe(clean);
    expect(render(said({ type: 'text', text: raw }))).toBe(clean);
  });

  test('contains no control characters, however the input combines them', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        '\x1b',
        '[',
        ']',
        'P',
        '\x07',
        '\\',
        '\x9b',
        '\x9d',
        '\x90',
        '\x9c',
        '3',
        ';',
        'm',
        ' ',
        '\r',
        'é',
        '漢',
      ),
    });
    fc.assert(fc.property(nasty, raw => !/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(plainText(raw))));
  });

  test('keeps all harmless characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '\t', '[', ']', '\\', '"') }),
        text => plainText(text) === text,
      ),
    );
  });
});
