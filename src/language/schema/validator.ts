/** Validates values by a schema that is compiled when it is first needed. */
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';

/** A schema's check; the methods are called as TypeBox calls them. */
export interface Validator<Value = unknown> {
  Check(value: unknown): value is Value;
  /** Empty for a valid value; else at most 500. */
  Errors(value: unknown): TLocalizedValidationError[];
}

// Errors of one value: a union reports every branch that failed; TypeBox's default of 8 cuts it before it can be settled.
Settings.Set({ maxErrors: 500 });

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
