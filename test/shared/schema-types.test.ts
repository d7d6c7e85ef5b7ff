import t from 'tap';
import { Type as TypeBox } from 'typebox';
import { Type } from '#language/schema/types.ts';

type Builder = Pick<typeof TypeBox, keyof typeof Type>;

t.test('each schema is the one that TypeBox would have made', (t) => {
  const closed = { additionalProperties: false };
  const schemas: Record<string, (build: Builder) => unknown> = {
    array: (build) => build.Array(build.Number(), { maxItems: 3 }),
    boolean: (build) => build.Boolean({ description: 'a switch' }),
    enum: (build) => build.Enum(['a', 'b'], { description: 'a or b' }),
    integer: (build) => build.Integer({ minimum: 1 }),
    literal: (build) => [build.Literal('a'), build.Literal(1), build.Literal(true)],
    null: (build) => build.Null({ description: 'nothing' }),
    number: (build) => build.Number(),
    object: (build) =>
      build.Object({ a: build.String(), b: build.Optional(build.Number({ default: 1 })) }, closed),
    'object without demands': (build) => build.Object({ a: build.Optional(build.Boolean()) }),
    record: (build) => build.Record(build.String({ pattern: '^a+$' }), build.Number(), closed),
    string: (build) => build.String({ pattern: '^a$' }),
    union: (build) => build.Union([build.Number(), build.String()], { description: 'either' }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    t.equal(JSON.stringify(schema(Type)), JSON.stringify(schema(TypeBox)), name);
  }
  t.end();
});

t.test('a tuple is written as draft 2020-12 writes it', (t) => {
  t.same(Type.Tuple([Type.Number(), Type.String()], { description: 'two' }), {
    type: 'array',
    prefixItems: [{ type: 'number' }, { type: 'string' }],
    items: false,
    minItems: 2,
    maxItems: 2,
    description: 'two',
  });
  t.end();
});

t.test('a schema stays what it is where it is also optional', (t) => {
  const name = Type.String();
  const schema = Type.Object({ a: name, b: Type.Optional(name) });
  t.same(schema.required, ['a']);
  t.end();
});
