/** Schemas shared by several settings. Each setting has a default (`preset`) and a description (`about`). */
import { z } from 'zod';

export const flag = (preset: boolean, about: string) => z.boolean().default(preset).describe(about);

/** A whole number. */
export const count = (
  range: { readonly min: number; readonly max?: number },
  preset: number,
  about: string,
) =>
  z
    .int()
    .min(range.min)
    .max(range.max ?? Number.MAX_SAFE_INTEGER)
    .default(preset)
    .describe(about);

export const percentage = (preset: number, about: string) =>
  z.number().min(0).max(100).default(preset).describe(about);

/** `null` switches the limit off. */
export const limit = (shape: z.ZodNumber, preset: number | null, about: string) =>
  shape.nullable().default(preset).describe(`${about}; null: no limit`);

export const texts = (preset: string[], about: string) => z.array(z.string()).default(preset).describe(about);

export const backend = z
  .string()
  .min(1)
  .optional()
  .describe('backend of this role; default: as in global.json');

/** Settings that belong together. All of them have defaults, so the section may be missing. */
export const section = <S extends z.ZodRawShape>(settings: S) => {
  const shape = z.strictObject(settings);
  return shape.prefault({} as z.input<typeof shape>);
};
