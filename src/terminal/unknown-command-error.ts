/** Builds the error for an unknown command, with the closest known name. */
import type { Interfaces } from '@oclif/core';
import { type DureError, dureError } from '../errors.ts';
import { nearest } from './nearest-name.ts';

export function unknownCommand(id: string, { commands }: Interfaces.Config): DureError {
  const known = commands.filter(command => !command.hidden).map(command => command.id);
  const near = nearest(id, known)?.replaceAll(':', ' ') ?? null;
  return dureError('E_COMMAND_UNKNOWN', { command: id.replaceAll(':', ' '), near });
}
