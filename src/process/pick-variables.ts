/** Picks the environment variables that are set and whose names are wanted. */
export const pickVariables = (
  env: Readonly<Record<string, string | undefined>>,
  isWanted: (name: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined && isWanted(e[0])),
  );
