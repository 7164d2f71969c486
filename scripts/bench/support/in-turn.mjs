/** Commands measured in turn, round by round, so that a busy machine is busy for all alike. */
import { spawnSync } from 'node:child_process';

/** `calls` by name: arguments of node, folder and environment. Gives milliseconds by name. */
export function inTurn(calls, rounds, env) {
  // Read on Node 20 at every start, and then it takes longer than everything else.
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = env;
  const took = Object.fromEntries(Object.keys(calls).map(name => [name, []]));
  for (let round = -2; round < rounds; round += 1)
    for (const [name, { args, cwd }] of Object.entries(calls)) {
      const began = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, args, { cwd, env: rest });
      const ms = Number(process.hrtime.bigint() - began) / 1e6;
      if (status !== 0) throw new Error(`${name}: exit ${status}\n${stderr}`);
      // The first rounds fill caches, as the first calls of a person do.
      if (round >= 0) took[name].push(ms);
    }
  return took;
}
