/**
 * Writes Claude Code's stream-json for one session, one event per line. Costs are totals of the session. Tokens are
 * zero, because no model is used.
 */
import { randomUUID } from 'node:crypto';
import { cents } from './session-cost.ts';

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** Costs by model, in the CLI's format. */
const byModel = (costUSD: number) => ({
  rehearsal: {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD,
    costBasis: 'rehearsal',
  },
});

export interface RehearsalSession {
  readonly id: string;
  /** Cost of the session in US dollars when this process resumed it. */
  readonly costBefore: number;
}

export function streamOf({ id: session_id, costBefore }: RehearsalSession, print: (text: string) => void) {
  const began = performance.now();
  let turns = 0;
  let tools = 0;
  let lastText = '';
  const line = (value: unknown) => print(`${JSON.stringify(value)}\n`);
  const emit = (event: Record<string, unknown>) => line({ ...event, session_id, uuid: randomUUID() });
  const message = (role: 'assistant' | 'user', block: Record<string, unknown>, more = {}) =>
    emit({ type: role, message: { role, content: [block], ...more }, parent_tool_use_id: null });
  const assistant = (block: Record<string, unknown>) =>
    message('assistant', block, { model: 'rehearsal', stop_reason: null, usage: NO_TOKENS });

  return {
    /** Total cost of the session so far, in US dollars. */
    cost: costBefore,
    init(cwd: string) {
      emit({
        type: 'system',
        subtype: 'init',
        cwd,
        tools: ['Bash', 'Write', 'mcp__dure__consult_human'],
        mcp_servers: [{ name: 'dure', status: 'connected' }],
        model: 'rehearsal',
        permissionMode: 'bypassPermissions',
        apiKeySource: 'none',
      });
    },
    text(text: string) {
      turns += 1;
      lastText = text;
      assistant({ type: 'text', text });
    },
    /** Reports a tool call and returns the id that its result refers to. */
    toolUse(name: string, input: unknown): string {
      tools += 1;
      const id = `toolu_rehearsal_${tools}`;
      assistant({ type: 'tool_use', id, name, input });
      return id;
    },
    toolResult(id: string, content: string, is_error: boolean) {
      message('user', { type: 'tool_result', tool_use_id: id, content, is_error });
    },
    /** `changes` overrides keys of the event, which otherwise reports success. */
    result(changes: Readonly<Record<string, unknown>>) {
      emit({
        type: 'result',
        subtype: 'success',
        is_error: false,
        terminal_reason: 'completed',
        api_error_status: null,
        stop_reason: 'end_turn',
        num_turns: turns,
        result: lastText,
        total_cost_usd: this.cost,
        usage: NO_TOKENS,
        modelUsage: byModel(this.cost),
        model_usage_since_last_result: byModel(cents(this.cost - costBefore)),
        permission_denials: [],
        duration_ms: Math.round(performance.now() - began),
        duration_api_ms: 0,
        ...changes,
      });
    },
    usage(request_id: string) {
      const response = { session: { total_cost_usd: this.cost, model_usage: byModel(this.cost) } };
      line({ type: 'control_response', response: { subtype: 'success', request_id, response } });
    },
    acknowledge(request_id: string) {
      line({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    },
    reject(request_id: string) {
      const error = 'unknown control request';
      line({ type: 'control_response', response: { subtype: 'error', request_id, error } });
    },
    raw: print,
  };
}
export type Stream = ReturnType<typeof streamOf>;
