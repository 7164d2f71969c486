/**
 * `consult.cjs serve|hook <runDir> <launch> [answer]`: the MCP server of `consult_human`, or the hook that runs before
 * it. `answer` is the file with the user's answer, if the launch has one.
 */
import { text as readAll } from 'node:stream/consumers';
import { answerText } from './consult/answer-text.ts';
import { runPermissionHook } from './consult/defer-question-hook.ts';
import { serveConsult } from './consult/mcp-server.ts';

async function main(mode?: string, runDir?: string, launch?: string, answer?: string): Promise<void> {
  if (!runDir || !launch) throw new Error('usage: consult serve|hook <runDir> <launch> [answer]');
  if (mode === 'hook') {
    console.log(await runPermissionHook(await readAll(process.stdin), runDir, Number(launch), answer));
  } else {
    await serveConsult(process.stdin, process.stdout, async () =>
      answer ? answerText(runDir, answer) : null,
    );
  }
}

void main(...process.argv.slice(2));
