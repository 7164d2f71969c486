/** Events of Claude Code as a person reads them, in the pane, in `dure logs` and on the web. Harmless, and short. */
import { amount, type Loose, list, part, text } from './loose.ts';
import { plain } from './plain.ts';

const RESULT_LINES = 4;
const LINE_LENGTH = 200;

/** Lines without control sequences, or null when the event says nothing to people. */
export function render(event: Loose): string | null {
  const said = saying(event);
  return said === null || said === '' ? null : plain(said);
}

function saying(event: Loose): string | null {
  switch (event['type']) {
    case 'assistant':
      return nested(event, blocks(event).map(spoken));
    case 'user':
      return nested(event, blocks(event).map(returned));
    case 'system':
      return system(event);
    case 'rate_limit_event':
      return part(event['rate_limit_info'])['status'] === 'rejected' ? '✗ a usage limit was reached' : null;
    case 'result':
      return ending(event);
    default:
      return null;
  }
}

const blocks = (event: Loose): Loose[] => {
  const content = part(event['message'])['content'];
  return typeof content === 'string' ? [] : list(content).map(part);
};

/** What a subagent does stands indented below the tool that started it. */
function nested(event: Loose, said: readonly (string | null)[]): string {
  const all = said.filter(one => one !== null && one !== '').join('\n');
  return text(event['parent_tool_use_id']) ? all.replaceAll(/^/gm, '  ') : all;
}

function spoken(block: Loose): string | null {
  if (block['type'] === 'text') return text(block['text']);
  if (block['type'] === 'tool_use')
    return `● ${text(block['name']) ?? 'tool'} ${cut(gist(part(block['input'])))}`;
  return null;
}

/** The one argument that tells what a tool is about to do. */
function gist(input: Loose): string {
  for (const key of [
    'command',
    'file_path',
    'notebook_path',
    'path',
    'pattern',
    'url',
    'query',
    'question',
    'description',
  ]) {
    const value = text(input[key]);
    if (value !== null) return value;
  }
  return JSON.stringify(input);
}

function returned(block: Loose): string | null {
  if (block['type'] !== 'tool_result') return null;
  const content = block['content'];
  const whole =
    text(content) ??
    list(content)
      .map(part)
      .map(piece => text(piece['text']) ?? `[${text(piece['type']) ?? 'something'}]`)
      .join('\n');
  const lines = whole.trimEnd().split('\n');
  const shown = lines.slice(0, RESULT_LINES).map(cut);
  if (lines.length > RESULT_LINES) shown.push(`… ${lines.length - RESULT_LINES} more lines`);
  const mark = block['is_error'] === true ? '✗' : '⎿';
  return shown.map((line, i) => `  ${i === 0 ? mark : ' '} ${line}`).join('\n');
}

function system(event: Loose): string | null {
  switch (event['subtype']) {
    case 'init':
      return `claude ${text(event['claude_code_version']) ?? ''} · ${text(event['model']) ?? ''} · ${text(event['permissionMode']) ?? ''}`;
    case 'api_retry':
      return `… the API does not answer (${amount(event['error_status']) ?? 'no connection'}, ${text(event['error']) ?? 'unknown'}); try ${amount(event['attempt']) ?? '?'} of ${amount(event['max_retries']) ?? '?'} follows in ${seconds(event['retry_delay_ms'])}`;
    case 'permission_denied':
      return `✗ ${text(event['tool_name']) ?? 'a tool'} was not permitted: ${cut(text(event['message']) ?? '')}`;
    default:
      return null;
  }
}

function ending(event: Loose): string {
  const turns = amount(event['num_turns']) ?? 0;
  const cost = amount(event['total_cost_usd']);
  const facts = `${turns} ${turns === 1 ? 'turn' : 'turns'}, ${seconds(event['duration_ms'])}, ${cost === null ? 'cost unknown' : `session $${cost.toFixed(4)}`}`;
  if (event['stop_reason'] === 'tool_deferred') return `? waits for a person (${facts})`;
  if (event['is_error'] !== true) return `✓ done (${facts})`;
  const why = text(event['result']) ?? list(event['errors']).map(String).join('; ');
  return `✗ ${why || (text(event['subtype']) ?? 'failed')} (${facts})`;
}

const seconds = (ms: unknown): string => `${((amount(ms) ?? 0) / 1000).toFixed(1)} s`;

function cut(said: string): string {
  const line = said.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line;
}
