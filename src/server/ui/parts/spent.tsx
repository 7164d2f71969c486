/** What a run has cost, by agent, in money and in tokens. */
import type { RunView } from '../../protocol.ts';
import { compact, cost } from '../format.ts';
import { useWords } from '../look.ts';
import { Columns } from './columns.tsx';
import { CostByRole } from './cost-chart.tsx';

/** What is still at work has no cost yet; only what ended without one makes the sum uncertain. */
export const isKnown = (run: RunView): boolean => Object.values(run.usage).every(spend => spend.complete);

export function Spent({ run }: { run: RunView }) {
  const w = useWords();
  const roles = Object.entries(run.usage);
  return (
    <section className="sheet" aria-labelledby="spent">
      <h2 id="spent">{w.cost.byAgent}</h2>
      <p className="sum">{cost(w, run.cost_usd, isKnown(run))}</p>
      {roles.length > 0 && (
        <>
          <CostByRole sums={Object.fromEntries(roles.map(([role, spend]) => [role, spend.cost_usd]))} />
          <table className="tokens">
            <Columns
              of={[
                { name: w.cost.tokens },
                { name: w.cost.input, className: 'number' },
                { name: w.cost.cached, className: 'number' },
                { name: w.cost.output, className: 'number' },
              ]}
            />
            <tbody>
              {roles.map(([role, spend]) => (
                <tr key={role}>
                  <th scope="row">{w.role(role)}</th>
                  <td className="number">
                    {compact(spend.input_tokens + spend.cache_creation_input_tokens)}
                  </td>
                  <td className="number">{compact(spend.cache_read_input_tokens)}</td>
                  <td className="number">{compact(spend.output_tokens)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {!isKnown(run) && <p className="soft">{w.cost.incomplete}</p>}
    </section>
  );
}
