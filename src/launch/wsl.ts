/** What oclif asks `wsl-utils` for, without what that loads only to be asked about Windows. */
export { default as isWsl } from 'is-wsl';

export const powerShellPath = async (): Promise<string> =>
  (await import('powershell-utils')).powerShellPath();
