/**
 * `consult.cjs serve|hook <runDir> <launch> [answer]`: the MCP server of `consult_human`, or the hook that runs before
 * it. `answer` is the file with the user's answer, if the launch has one.
 */
import { existsSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { runFiles } from '../formats/layout.ts';
import { create, readText } from '../formats/read-and-write-files.ts';
import { answerText } from './consult/answer-text.ts';
import { serveConsult } from './consult/mcp-server.ts';
import { callShape, decidePermission, type PermissionDecision } from './consult/permission-hook.ts';

async function hook(runDir: string, launch: number, answer: string | undefined): Promise<PermissionDecision> {
  const asked = callShape.parse(JSON.parse(await readAll(process.stdin)));
  const mark = runFiles(runDir).consult(launch);
  const verdict = decidePermission(asked, await readText(mark), answer !== undefined && existsSync(answer));
  // Two calls in one message may compete for the answer: the first one to write its mark gets it.
  if (verdict.permissionDecision === 'allow' && !(await create(mark, asked.tool_use_id)))
    return decidePermission(asked, await readText(mark), true);
  return verdict;
}

async function main(mode?: string, runDir?: string, launch?: string, answer?: string): Promise<void> {
  if (!runDir || !launch) throw new Error('usage: consult serve|hook <runDir> <launch> [answer]');
  if (mode === 'hook') {
    const verdict = await hook(runDir, Number(launch), answer);
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...verdict } }));
  } else {
    await serveConsult(process.stdin, process.stdout, async () =>
      answer ? answerText(runDir, answer) : null,
    );
  }
}

void main(...process.argv.slice(2));
