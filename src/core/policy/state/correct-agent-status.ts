/**
 * Keeps the status of each agent consistent with the run: an agent is `running` only while its own launch is running
 * and no question is open, and `waiting_human` only while its own question is open. Any other agent that has not
 * ended is `pending`.
 */
import type { AgentState, RunState } from '../../../formats/state.ts';
import { currentStep } from '../pipeline/look-up-steps.ts';
import { isOver } from './phase.ts';

export function withCorrectAgentStatus(s: RunState): RunState {
  const agents = Object.entries(s.agents).map(([role, agent]) => [
    role,
    holds(s, role, agent.status) ? agent : { ...agent, status: 'pending' as const },
  ]);
  return { ...s, agents: Object.fromEntries(agents) };
}

function holds(s: RunState, role: string, status: AgentState['status']): boolean {
  if (status === 'running')
    return !isOver(s) && s.since !== null && s.waiting === null && currentStep(s).role === role;
  if (status === 'waiting_human') return s.waiting?.why === 'question';
  return true;
}
