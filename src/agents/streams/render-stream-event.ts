/** Renders Claude Code events as short, escaped text for the pane, `dure logs` and the web UI. */
import { arrayAt, type JsonObject, numberAt, objectAt, textAt } from '../../formats/schema/json-access.ts';
import { plainText } from '../../formats/text/plain-text.ts';

const RESULT_LINES = 4;
const LINE_LENGTH = 200;

/** Renders an event as lines without control sequences; null if the event has nothing to show. */
export function render(event: JsonObject): string | null {
  const text = eventText(event);
  return text === null || text === '' ? null : plainText(text);
}

/** Like `render`, but keeps control sequences. Returns null or an empty text if the event has nothing to show. */
export function eventText(event: JsonObject): string | null {
  switch (event['type']) {
    case 'assistant':
      return nested(event, blocks(event).map(blockText));
    case 'user':
      return nested(event, blocks(event).map(returned));
    case 'system':
      return system(event);
    case 'rate_limit_event':
      return objectAt(event['rate_limit_info'])['status'] === 'rejected'
        ? '✗ a usage limit was reached'
        : null;
    case 'result':
      return ending(event);
    default:
      return null;
  }
}

const blocks = (event: JsonObject): JsonObject[] => {
  const content = objectAt(event['message'])['content'];
  return typeof content === 'string' ? [] : arrayAt(content).map(objectAt);
};

/** Indents a subagent's output below the tool call that started it. */
function nested(event: JsonObject, lines: readonly (string | null)[]): string {
  const all = lines.filter(one => one !== null && one !== '').join('\n');
  return textAt(event['parent_tool_use_id']) ? all.replaceAll(/^/gm, '  ') : all;
}

function blockText(block: JsonObject): string | null {
  if (block['type'] === 'text') return textAt(block['text']);
  if (block['type'] === 'tool_use')
    return `● ${textAt(block['name']) ?? 'tool'} ${cut(mainArgument(objectAt(block['input'])))}`;
  return null;
}

/** Returns the argument that best describes a tool call. */
function mainArgument(input: JsonObject): string {
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
    const value = textAt(input[key]);
    if (value !== null) return value;
  }
  return JSON.stringify(input);
}

function returned(block: JsonObject): string | null {
  if (block['type'] !== 'tool_result') return null;
  const content = block['content'];
  const text =
    textAt(content) ??
    arrayAt(content)
      .map(objectAt)
      .map(piece => textAt(piece['text']) ?? `[${textAt(piece['type']) ?? 'something'}]`)
      .join('\n');
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, RESULT_LINES).map(cut);
  if (lines.length > RESULT_LINES) shown.push(`… ${lines.length - RESULT_LINES} more lines`);
  const mark = block['is_error'] === true ? '✗' : '⎿';
  return shown.map((line, i) => `  ${i === 0 ? mark : ' '} ${line}`).join('\n');
}

function system(event: JsonObject): string | null {
  switch (event['subtype']) {
    case 'init':
      return `claude ${textAt(event['claude_code_version']) ?? ''} · ${textAt(event['model']) ?? ''} · ${textAt(event['permissionMode']) ?? ''}`;
    case 'api_retry':
      return `… the API request failed (${numberAt(event['error_status']) ?? 'no connection'}, ${textAt(event['error']) ?? 'unknown'}); attempt ${numberAt(event['attempt']) ?? '?'} of ${numberAt(event['max_retries']) ?? '?'} follows in ${seconds(event['retry_delay_ms'])}`;
    case 'permission_denied':
      return `✗ ${textAt(event['tool_name']) ?? 'a tool'} was not permitted: ${cut(textAt(event['message']) ?? '')}`;
    default:
      return null;
  }
}

function ending(event: JsonObject): string {
  const turns = numberAt(event['num_turns']) ?? 0;
  const cost = numberAt(event['total_cost_usd']);
  const facts = `${turns} ${turns === 1 ? 'turn' : 'turns'}, ${seconds(event['duration_ms'])}, ${cost === null ? 'cost unknown' : `session $${cost.toFixed(4)}`}`;
  if (event['stop_reason'] === 'tool_deferred') return `? waits for a person (${facts})`;
  if (event['is_error'] !== true) return `✓ done (${facts})`;
  const why = textAt(event['result']) ?? arrayAt(event['errors']).map(String).join('; ');
  return `✗ ${why || (textAt(event['subtype']) ?? 'failed')} (${facts})`;
}

const seconds = (ms: unknown): string => `${((numberAt(ms) ?? 0) / 1000).toFixed(1)} s`;

function cut(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line;
}
