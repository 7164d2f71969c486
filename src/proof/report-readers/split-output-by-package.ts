/**
 * Splits the combined output of several packages, where each line is prefixed with its package name. `pnpm -r`, turbo
 * and `yarn workspaces foreach` print this format. This module is pure.
 */

/**
 * Lines that announce a prefix: `packages/a test$ vitest run`, `a:test: cache miss, executing 1f2e`, `[a]: Process
 * started`.
 */
const ANNOUNCED =
  /^(?:(\S+ [\w:.-]+)\$ |(\S+:[\w.-]+): cache (?:miss|hit|bypass)|(\[[^\]\s]+\]): Process started)/gm;

export interface PackageOutput {
  /** Empty for lines without a prefix. */
  readonly prefix: string;
  readonly text: string;
}

export function packageOutputs(output: string): PackageOutput[] {
  const prefixes = [...output.matchAll(ANNOUNCED)].map(([, pnpm, turbo, yarn]) => (pnpm ?? turbo ?? yarn)!);
  if (prefixes.length === 0) return [{ prefix: '', text: output }];
  const lines = new Map<string, string[]>(['', ...prefixes].map(prefix => [prefix, []]));
  for (const line of output.split('\n')) {
    const prefix = prefixes.find(each => line.startsWith(`${each}: `) || line === `${each}:`) ?? '';
    lines.get(prefix)!.push(prefix === '' ? line : line.slice(prefix.length + 2));
  }
  return [...lines].map(([prefix, own]) => ({ prefix, text: own.join('\n') }));
}
