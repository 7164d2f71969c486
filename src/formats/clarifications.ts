/** What the Refiner understood, assumed or filled in. */
import { z } from 'zod';
import { defineFile } from './schema/define-file.ts';

const clarification = z.union([z.string(), z.looseObject({})]);
export const clarificationsFile = defineFile(
  'briefing/clarifications.json',
  'What the Refiner understood, assumed or filled in.',
  z.union([z.array(clarification), z.looseObject({})]),
);
