/**
 * Python commands of a set-up, tried as they are; when a package index cannot be reached, or does not have all that is
 * asked for, a virtual environment is made of what can be had: requirement by requirement from the indexes, the rest
 * from the machine's Python. The project itself is never taken from there: its sources in this tree come first, and
 * lines of `.pth` files elsewhere are not read.
 */
import { openFolder } from './folder.ts';
import { pythonProject } from './python-project.ts';
import { withoutIndex } from './python-without-index.ts';
import type { Session } from './session.ts';
import { quoted } from './shell-words.ts';

/** `commands` run one after the other in `folder`. Null when there is an environment in the end. */
export async function setUpPython(
  session: Session,
  folder: string,
  commands: readonly string[],
): Promise<string | null> {
  let said = '';
  const listen = (text: string): void => {
    said = `${said}${text}`.slice(-100_000);
  };
  const problem = await allOf(session, folder, commands, listen);
  if (problem === null || !isForWantOfAnIndex(said)) return problem;
  session.say(
    `${problem}\nThe package indexes did not give all that is needed. A virtual environment is made of what they have and of the packages that the Python on PATH has, with the sources of this tree before them.`,
  );
  const { extras, groups, requirements, others, runner } = await pythonProject(await openFolder(folder));
  const wanted = JSON.stringify({
    extras,
    groups,
    requirements,
    others: [...others, ...(runner ? [runner] : [])],
  });
  const program = `python3 - ${quoted(wanted)} <<'END_OF_PROGRAM'\n${withoutIndex}\nEND_OF_PROGRAM\n`;
  const second = await session.fetch(program, folder);
  return second === null ? null : `${problem}; with what there is: ${second}`;
}

async function allOf(
  session: Session,
  folder: string,
  commands: readonly string[],
  listen: (text: string) => void,
): Promise<string | null> {
  for (const command of commands) {
    session.say(`$ ${command}`);
    const problem = await session.fetch(command, folder, { listen });
    if (problem !== null) return `${command}: ${problem}`;
  }
  return null;
}

/** Words of pip, uv and venv when packages or build backends cannot be had. */
const isForWantOfAnIndex = (said: string): boolean =>
  /no matching distribution|could not find a version|temporary failure in name resolution|failed to establish a new connection|connection (refused|reset|error|timed out|broken)|max retries|network is unreachable|timed? ?out|name or service not known|nodename nor servname|dns error|failed to fetch|error sending request|proxyerror|tunnel connection|sslerror|certificate verify|backendunavailable|cannot import '|no module named|ensurepip|no such option: --group|5\d\d server error|40[347] client error/i.test(
    said,
  );
