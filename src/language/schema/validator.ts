/** Validates values by a schema that is compiled when it is first needed: a start loads no compiler. */
import { createRequire } from 'node:module';
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import type * as TypeBoxSchema from 'typebox/schema';
import type * as TypeBoxSystem from 'typebox/system';

/** A schema's check; the methods are called as TypeBox calls them. */
export interface Validator<Value = unknown> {
  Check(value: unknown): value is Value;
  /** Empty for a valid value; else at most 500. */
  Errors(value: unknown): TLocalizedValidationError[];
}

/** Errors of one value: a union reports every branch that failed; TypeBox's default of 8 cuts it before it can be settled. */
const errorsMax = 500;

/**
 * TypeBox's compiler, loaded by the first value that needs it: 235 modules, 60 ms in each thread, of which most
 * check nothing. `typebox/compile` does the same behind 450 more.
 */
function loadCompile(): typeof TypeBoxSchema.Compile {
  const { Settings } = createRequire(import.meta.url)('typebox/system') as typeof TypeBoxSystem;
  Settings.Set({ maxErrors: errorsMax });
  return (createRequire(import.meta.url)('typebox/schema') as typeof TypeBoxSchema).Compile;
}

/** Creates a validator; the first call of a method compiles it (about 1 ms for the schema of a layer). */
export function createValidator<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  type Compiled = ReturnType<typeof TypeBoxSchema.Compile>;
  let compiled: Compiled | undefined;
  const compile = (): Compiled => (compiled ??= loadCompile()(schema));
  const check = (value: unknown): value is Static<Schema> => compile().Check(value);
  return {
    Check: check,
    Errors: (value) => (check(value) ? [] : compile().Errors(value)[1]),
  };
}
