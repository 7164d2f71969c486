/** The cost of a run by agent, in US dollars and tokens. */
import { areCostsReported } from '../../../core/usage-tracker.ts';
import { money } from '../../../words/format-amounts.ts';
import type { RunView } from '../../http-protocol.ts';
import { compact, formatCost } from '../format.ts';
import { useWords } from '../preferences.ts';
import { CostByRole } from './cost-chart.tsx';
import { TableHead } from './table-head.tsx';

export function CostTable({ run }: { run: RunView }) {
  const w = useWords();
  const roles = Object.entries(run.usage);
  return (
    <section className="sheet" aria-labelledby="spent">
      <h2 id="spent">{w.cost.byAgent}</h2>
      <p className="sum">
        {formatCost(w, run.cost_usd, areCostsReported(run))}{' '}
        {run.budget_usd !== null && <span className="soft">{w.cost.ofBudget(money(run.budget_usd))}</span>}
      </p>
      {run.budget_usd !== null && (
        <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect className="bar-ground" width="100" height="6" />
          <rect width={Math.min((run.cost_usd / run.budget_usd) * 100, 100)} height="6" />
        </svg>
      )}
      {roles.length > 0 && (
        <>
          <CostByRole sums={Object.fromEntries(roles.map(([role, spend]) => [role, spend.cost_usd]))} />
          <table className="tokens">
            <TableHead
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
      {!areCostsReported(run) && <p className="soft">{w.cost.incomplete}</p>}
    </section>
  );
}
