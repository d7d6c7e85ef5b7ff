/** Validates values by a schema that is compiled when it is first needed: a start compiles none. */
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
// `typebox/compile` does the same behind 450 more modules, 110 ms in every thread.
import { Compile } from 'typebox/schema';

/** A schema's check; the methods are called as TypeBox calls them. */
export interface Validator<Value = unknown> {
  Check(value: unknown): value is Value;
  /** Empty for a valid value; else at most TypeBox's `maxErrors`. */
  Errors(value: unknown): TLocalizedValidationError[];
}

/** Creates a validator; the first call of a method compiles it (about 1 ms for the schema of a layer). */
export function createValidator<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  let compiled: ReturnType<typeof Compile> | undefined;
  const compile = (): ReturnType<typeof Compile> => (compiled ??= Compile(schema));
  const check = (value: unknown): value is Static<Schema> => compile().Check(value);
  return {
    Check: check,
    Errors: (value) => (check(value) ? [] : compile().Errors(value)[1]),
  };
}
