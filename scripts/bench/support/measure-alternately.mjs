/** Measures commands alternately, in rounds, so that load on the machine affects all of them equally. */
import { spawnSync } from 'node:child_process';

/** `calls` maps a name to Node arguments and a folder. Returns the milliseconds of every call by name. */
export function inTurn(calls, rounds, env) {
  // Node 20 reads this file at every start, which would dominate the result.
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = env;
  const took = Object.fromEntries(Object.keys(calls).map(name => [name, []]));
  for (let round = -2; round < rounds; round += 1)
    for (const [name, { args, cwd }] of Object.entries(calls)) {
      const began = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, args, { cwd, env: rest });
      const ms = Number(process.hrtime.bigint() - began) / 1e6;
      if (status !== 0) throw new Error(`${name}: exit ${status}\n${stderr}`);
      // The first rounds fill caches.
      if (round >= 0) took[name].push(ms);
    }
  return took;
}
