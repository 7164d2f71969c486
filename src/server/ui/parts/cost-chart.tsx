/** A bar chart of costs. Each number is also available as text, so nothing is visible only in the chart. */
import { money } from '../../../words/format-amounts.ts';
import { useWords } from '../preferences.ts';

export function CostByRole({ sums }: { sums: Readonly<Record<string, number>> }) {
  const w = useWords();
  const most = Math.max(...Object.values(sums), 0.0001);
  return (
    <ul className="bars" aria-label={w.cost.byAgent}>
      {Object.entries(sums).map(([role, sum]) => (
        <li key={role}>
          <span>{w.role(role)}</span>
          <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(sum / most) * 100} height="6" />
          </svg>
          <span className="number">{money(sum)}</span>
        </li>
      ))}
    </ul>
  );
}

const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;
/** Includes days without a run. */
const lastDays = (known: readonly { day: string; usd: number }[], now: number) =>
  Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = new Date(now - (SHOWN_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.find(one => one.day === day) ?? { day, usd: 0 };
  });

const HEIGHT = 44;
/** The last thirty days, with a table for screen readers. */
export function CostByDay({ days: known }: { days: readonly { day: string; usd: number }[] }) {
  const w = useWords();
  const days = lastDays(known, Date.now());
  const most = Math.max(...days.map(({ usd: sum }) => sum), 0.0001);
  const wide = 100 / Math.max(days.length, 1);
  return (
    <figure className="days">
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, usd: sum }, index) => {
          const barHeight = sum === 0 ? 0.8 : Math.max((sum / most) * HEIGHT, 2);
          return (
            <rect
              key={day}
              className={sum === 0 ? 'day-none' : 'day'}
              x={index * wide}
              y={HEIGHT - barHeight}
              width={wide * 0.72}
              height={barHeight}
            >
              <title>{`${day} ${money(sum)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="days-ends soft">
        <span>{days[0]?.day.slice(5)}</span>
        <span>{days.at(-1)?.day.slice(5)}</span>
      </figcaption>
      <table className="unseen">
        <caption>{w.cost.title}</caption>
        <tbody>
          {days
            .filter(({ usd: sum }) => sum > 0)
            .map(({ day, usd: sum }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{money(sum)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}
