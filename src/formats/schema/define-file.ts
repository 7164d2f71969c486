/** Declares a file format: its name, description and shape. */
import { z } from 'zod';

export { problemsOf } from './schema-problems.ts';

export interface FileFormat<S extends z.ZodType = z.ZodType> {
  /** Path in the run folder (or in `.dure/`), with `*` for a variable part. */
  readonly name: string;
  readonly about: string;
  readonly shape: S;
}

export const defineFile = <S extends z.ZodType>(name: string, about: string, shape: S): FileFormat<S> => ({
  name,
  about,
  shape,
});

/** The JSON Schema (draft 2020-12) of the file, for prompts, editors and the published `schemas/`. */
export const jsonSchema = (format: FileFormat): Record<string, unknown> => ({
  ...z.toJSONSchema(format.shape, { io: 'input', unrepresentable: 'any' }),
  title: format.name,
  description: format.about,
});
