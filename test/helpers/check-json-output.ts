/** Validates the `--json` output of every command in tests against its published schema. */
import { type OutputName, outputs } from '../../src/formats/output/commands.ts';
import { problemsOf } from '../../src/formats/schema/schema-problems.ts';

/** Names of the commands whose output was validated. */
export const checkedOutputs = new Set<OutputName>();

export function outputName(args: readonly string[]): OutputName | null {
  const names = [args.slice(0, 2).join('-'), args[0] ?? ''] as OutputName[];
  return names.find(name => outputs.has(name)) ?? null;
}

export function checkOutput(args: readonly string[], json: unknown): void {
  const name = outputName(args);
  if (name === null) return;
  const read = outputs.get(name)!.shape.safeParse(json);
  if (!read.success)
    throw new Error(
      `dure ${args.join(' ')}: not as published: ${problemsOf(read.error)}\n${JSON.stringify(json)}`,
    );
  checkedOutputs.add(name);
}
