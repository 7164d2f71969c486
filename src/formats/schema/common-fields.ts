/** Fields that occur in several file formats: ids, roles, times, paths. */
import { z } from 'zod';
import { RUN_ID } from '../layout.ts';

export const timestamp = z.iso.datetime({ offset: true }).describe('ISO 8601, UTC');
export const runId = z.string().regex(RUN_ID, 'expected a run id such as run-20260131-142233');
export const crpId = z.string().regex(/^crp-\d{3,6}$/, 'expected an id such as crp-001');
export const vcrId = z.string().regex(/^vcr-\d{3,6}$/, 'expected an id such as vcr-001');
export const hash = z.string().regex(/^[0-9a-f]{40,64}$/, 'expected a git object id');
/** A shell would run a blank command successfully, without doing anything. */
export const shellCommand = z.string().regex(/\S/, 'expected a command such as npm ci');
/** Whether a path is relative and does not leave its folder. */
export const isPathInside = (path: string): boolean =>
  !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');
/** How a launch failed. */
export const errorKind = z.enum(['crash', 'timeout', 'validation', 'permission', 'resource']);
export type ErrorKind = z.infer<typeof errorKind>;
/** Names of roles, steps, pipelines, backends, checks and plugins. */
export const shortName = (message: string) => z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, message);
export const role = shortName('expected a role such as builder');
/** The longest possible time limit, and the longest possible single extension of one. */
export const MAX_TIME_LIMIT_MS = 86_400_000;
export const timeLimitMs = z.int().min(100).max(MAX_TIME_LIMIT_MS);
/** The largest time budget of an exam, and of one continuation of it, in seconds. */
export const MAX_EXAM_S = 3600;
/** The length of a list of which only the first items are stored. */
export const countOfList = (list: string) =>
  z
    .int()
    .positive()
    .optional()
    .describe(`number of items if \`${list}\` contains only the first ones; absent: it contains all`);
