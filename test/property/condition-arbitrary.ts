/** Makes conditions on the variables of generated documents. */
import * as fc from 'fast-check';

/** Conditions on a variable, compared with what its values can be. */
function conditionsOn(variable: string, compared: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.record(
    {
      variable: fc.constant(variable),
      set: fc.boolean(),
      equals: compared,
      notEquals: compared,
      oneOf: fc.array(compared, { minLength: 1, maxLength: 3 }),
      greaterThan: fc.integer({ min: -2, max: 2 }),
      lessThan: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant('{{number}}')),
      ignoreCase: fc.boolean(),
    },
    { requiredKeys: ['variable'] },
  );
}

/** Conditions on each variable; texts are compared with `texts`. */
export const conditionsOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.oneof(
    conditionsOn('text', texts),
    conditionsOn('number', fc.constantFrom('', '1', '-2.50', '{{text}}')),
    conditionsOn('boolean', fc.constantFrom('', 'true', 'false', '{{text}}')),
    conditionsOn('color', fc.constantFrom('', '#0a7', '#00AA77', '{{text}}')),
    fc.record(
      {
        variable: fc.constant('day'),
        equals: fc.constantFrom('', '2026-11-27', '{{text}}'),
        greaterThan: fc.constantFrom('now', 'today', '2026-11-23', '{{day}}'),
      },
      { requiredKeys: ['variable'] },
    ),
  );
