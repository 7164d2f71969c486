/** The other projects in which runs wait for the user. Not shown if there are none. */
import { useQuery } from '@tanstack/react-query';
import { ago } from '../format.ts';
import { useWords } from '../preferences.ts';
import { projectsQuery } from '../queries.ts';

export function WaitingProjects({ now }: { now: number }) {
  const w = useWords();
  const { data: projects = [] } = useQuery(projectsQuery);
  if (projects.length === 0) return null;
  return (
    <section className="section" aria-labelledby="projects">
      <h2 id="projects">{w.overview.projects}</h2>
      <ul className="cards">
        {projects.map(({ name, root, waiting, since, url, command }) => (
          <li key={root} className="card">
            <div className="card-text">
              {url ? (
                <a className="card-title" href={url}>
                  {name}
                </a>
              ) : (
                <strong>{name}</strong>
              )}
              <p className="about">
                <span className="warn">{w.overview.waitIn(waiting, ago(w, since, now))}</span>
                {url ? <span className="mono">{root}</span> : <code className="whole">{command}</code>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
