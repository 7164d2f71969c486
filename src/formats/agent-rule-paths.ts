/**
 * Defines where rules for agents are found and where they apply. This module is pure. Paths are relative to the top of
 * the repository.
 */

const NAMED = /^(?:.*\/)?(?:(?:\.claude\/)?CLAUDE\.md|AGENTS\.md|\.claude\/rules\/.+\.md)$/;

/**
 * Whether agents find rules at this path by themselves. Rules in installed packages do not count, even if these
 * packages are committed to the repository.
 */
export const isRulePath = (path: string): boolean =>
  NAMED.test(path) && !path.split('/').includes('node_modules');

/** Returns the path of the file of a skill, relative to the folder that contains `.claude`. */
export const skillFile = (name: string): string => `.claude/skills/${name}/SKILL.md`;

/** Whether this is the file of a skill. */
export const isSkillPath = (path: string): boolean =>
  /(?:^|\/)\.claude\/skills\/[^/]+\/SKILL\.md$/.test(path);

/** Only Claude's own rule files can import other files. */
export const mayImport = (path: string): boolean => isRulePath(path) && !path.endsWith('AGENTS.md');

/** Returns the folder to which a file applies, with its subfolders; an empty string is the whole repository. */
export const scopeOf = (path: string): string =>
  path.replace(/(?:^|\/)(?:\.claude\/(?:CLAUDE\.md|rules\/.+)|CLAUDE\.md|AGENTS\.md)$/, '');
