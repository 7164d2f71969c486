/**
 * `consult.cjs serve|hook <runDir> <launch> [answer]`: the MCP server of `consult_human`, or the hook that is asked
 * before it runs. `answer` is the file with the person's answer, for a launch that brings one.
 */
import { existsSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { create, readText } from '../formats/file.ts';
import { runFiles } from '../formats/layout.ts';
import { answerText } from './consult/answer.ts';
import { serve } from './consult/server.ts';
import { callShape, type Verdict, verdictOn } from './consult/verdict.ts';

async function hook(runDir: string, launch: number, answer: string | undefined): Promise<Verdict> {
  const asked = callShape.parse(JSON.parse(await readAll(process.stdin)));
  const mark = runFiles(runDir).consult(launch);
  const verdict = verdictOn(asked, await readText(mark), answer !== undefined && existsSync(answer));
  // Two calls in one message may race for the one answer: the one whose mark is written first has it.
  if (verdict.permissionDecision === 'allow' && !(await create(mark, asked.tool_use_id)))
    return verdictOn(asked, await readText(mark), true);
  return verdict;
}

async function main(mode?: string, runDir?: string, launch?: string, answer?: string): Promise<void> {
  if (!runDir || !launch) throw new Error('usage: consult serve|hook <runDir> <launch> [answer]');
  if (mode === 'hook') {
    const verdict = await hook(runDir, Number(launch), answer);
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...verdict } }));
  } else {
    await serve(process.stdin, process.stdout, async () => (answer ? answerText(runDir, answer) : null));
  }
}

void main(...process.argv.slice(2));
