/** A proposed check of a project, and how a list of them is ordered and named. */

export interface CheckProposal {
  readonly name: string;
  readonly command: string;
  /** The evidence in the project that suggests this check. */
  readonly because: string;
}

const BY_PURPOSE = ['test', 'lint', 'types', 'check'];

/** Tests first, without duplicate commands; duplicate names are numbered. */
export function orderedAndNamed(proposals: readonly CheckProposal[]): CheckProposal[] {
  const order = ({ name }: CheckProposal) =>
    (BY_PURPOSE.indexOf(name) + BY_PURPOSE.length) % BY_PURPOSE.length;
  const taken = new Map<string, number>();
  const commands = new Set<string>();
  return proposals
    .toSorted((a, b) => order(a) - order(b))
    .flatMap(proposal => {
      if (commands.has(proposal.command)) return [];
      commands.add(proposal.command);
      const n = (taken.get(proposal.name) ?? 0) + 1;
      taken.set(proposal.name, n);
      return [n === 1 ? proposal : { ...proposal, name: `${proposal.name}-${n}` }];
    });
}
