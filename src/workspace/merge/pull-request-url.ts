/** Builds the URL of the page on which to open a pull or merge request for a pushed branch. This module is pure. */

/** Null if the remote is not on a web host, or if the host is unknown. */
export function newPullRequestUrl(remote: string, branch: string, into: string | null): string | null {
  const place = placeOf(remote);
  if (!place) return null;
  const { host, path } = place;
  const [source, target] = [encodeURIComponent(branch), into && encodeURIComponent(into)];
  const site = `https://${host}/${path}`;
  // In a path, the slashes in a branch name are kept.
  const compared = [into, branch]
    .filter(name => name !== null)
    .map(encodeURI)
    .join('...');
  if (host.includes('github')) return `${site}/compare/${compared}?expand=1`;
  if (host.includes('gitlab'))
    return `${site}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${source}${target ? `&merge_request%5Btarget_branch%5D=${target}` : ''}`;
  if (host.includes('bitbucket'))
    return `${site}/pull-requests/new?source=${source}${target ? `&dest=${target}` : ''}`;
  if (/gitea|forgejo|codeberg/.test(host)) return `${site}/compare/${compared}`;
  return null;
}

/**
 * Returns the host without port and the path without `.git`, from `https://host/path`, `ssh://git@host:22/path` or
 * `git@host:path`.
 */
function placeOf(remote: string): { host: string; path: string } | null {
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(remote);
  const short = /^(?:[^@/:]+@)([^/:]+):(?!\/)(.+)$/.exec(remote);
  const [, host, path] = url ?? short ?? [];
  return host && path
    ? { host: host.toLowerCase(), path: path.replace(/\/+$/, '').replace(/\.git$/, '') }
    : null;
}
