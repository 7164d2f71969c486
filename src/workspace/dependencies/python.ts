/**
 * Python commands of a set-up, tried as they are; when no package index can be reached, or a build backend is missing, a
 * virtual environment is made of what the machine's Python has. The project itself is never taken from there: its sources
 * in this tree come first, and lines of `.pth` files elsewhere are not read.
 */
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
  let problem: string | null = null;
  const listen = (text: string): void => {
    said = `${said}${text}`.slice(-100_000);
  };
  for (const command of commands) {
    session.say(`$ ${command}`);
    problem = await session.fetch(command, folder, { listen });
    if (problem === null) continue;
    problem = `${command}: ${problem}`;
    break;
  }
  if (problem === null || !isForWantOfAnIndex(said)) return problem;
  session.say(
    `${problem}\nNo package index gave what is needed: a virtual environment is made of the packages that the Python on PATH has, with the sources of this tree before them.`,
  );
  const program = `python3 - <<'END_OF_PROGRAM'\n${withoutIndex}\nEND_OF_PROGRAM\n`;
  const second = await session.fetch(program, folder);
  return second === null ? null : `${problem}; without an index: ${quoted('python3')}: ${second}`;
}

/** Words of pip, uv and venv when packages or build backends cannot be had. */
const isForWantOfAnIndex = (said: string): boolean =>
  /no matching distribution|could not find a version|temporary failure in name resolution|failed to establish a new connection|connection (refused|reset|error|timed out|broken)|max retries|network is unreachable|timed? ?out|name or service not known|nodename nor servname|dns error|failed to fetch|error sending request|proxyerror|tunnel connection|sslerror|certificate verify|backendunavailable|cannot import '|no module named|ensurepip|5\d\d server error|40[347] client error/i.test(
    said,
  );
