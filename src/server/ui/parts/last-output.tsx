/** The last lines of output from the agent whose launch led to the open question. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../connection/api-client.ts';
import { useWords } from '../preferences.ts';
import { reachable } from './focusable-scroll.ts';

const LINES = 20;
const BYTES = 32_000;

export function LastOutput({ id }: { id: string }) {
  const w = useWords();
  const { data: run } = useQuery({ queryKey: ['run', id], queryFn: () => api.run(id) });
  const launch = run?.waiting?.launch;
  const role = Object.entries(run?.agents ?? {}).find(([, agent]) => agent.launch === launch)?.[0];
  const output = useQuery({
    queryKey: ['run', id, 'last-output', launch],
    queryFn: () => api.output(id, role!, { launch, tail: BYTES }),
    enabled: role !== undefined,
  });
  const lines = output.data?.lines.slice(-LINES) ?? [];
  if (role === undefined || lines.length === 0) return null;
  return (
    <section className="section" aria-labelledby="last-output">
      <h2 id="last-output">{w.question.lastOutput(w.role(role))}</h2>
      <pre className="log" {...reachable}>
        {lines.map(({ text }) => text).join('\n')}
      </pre>
    </section>
  );
}
