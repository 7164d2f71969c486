/** The results of the project's own checks, with the first tests that regressed. */
import type { RunView } from '../../../http-protocol.ts';
import { useWords } from '../../preferences.ts';

export function CheckList({ checks }: { checks: NonNullable<RunView['checks']>['checks'] }) {
  const w = useWords();
  if (checks.length === 0) return null;
  return (
    <section className="checks" aria-labelledby="checks">
      <h3 id="checks">{w.run.checks}</h3>
      <ul>
        {checks.map(({ name, status, regressions, regression_count }) => (
          <li key={name}>
            {name}: {w.check(status)}
            {regression_count > 0 && ` (${regression_count})`}
            {regressions.flatMap(({ test }) => test ?? []).length > 0 && (
              <span className="soft">
                {' '}
                {regressions
                  .flatMap(({ test }) => test ?? [])
                  .slice(0, 5)
                  .join(', ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
