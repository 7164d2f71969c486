/** The end of each agent's latest output, as text. A file is reread only when its size changes. */
import type { RunFiles } from '../formats/layout.ts';
import { launchesOf, readPiece, sizeOf, startOfTail } from './read-agent-output.ts';

const TAIL = 48_000;
const SHOWN = 8000;

export function outputTails(
  files: RunFiles,
  roles: readonly string[],
): () => Promise<Record<string, string>> {
  const known = new Map<string, { launch: number; size: number; text: string }>();
  const ofRole = async (role: string): Promise<string> => {
    const launch = (await launchesOf(files, role)).at(-1);
    if (launch === undefined) return '';
    const file = files.stream(role, launch);
    const size = await sizeOf(file);
    const before = known.get(role);
    if (before?.launch === launch && before.size === size) return before.text;
    const { lines } = await readPiece(file, await startOfTail(file, TAIL), TAIL, false);
    const text = lines
      .map(line => line.text)
      .join('\n')
      .slice(-SHOWN);
    known.set(role, { launch, size, text });
    return text;
  };
  return async () =>
    Object.fromEntries(await Promise.all(roles.map(async role => [role, await ofRole(role)] as const)));
}
