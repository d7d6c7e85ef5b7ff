/** TypeBox schemas of the sizes of a template, and of `bySize` in each layer type. */
import { Type } from 'typebox';
import type { Static, TObject, TSchema } from 'typebox';
import { templateLimits } from '../limits/template-limits.ts';
import { sizeNamePattern, sizeProperties } from '../size-properties.ts';
import type { SizeOverrides } from '../size-properties.ts';
import { closed } from './paint.ts';

/** A further canvas of the same design. Layers list their differences in `bySize`. */
export const Size = Type.Object(
  {
    name: Type.String({
      pattern: sizeNamePattern,
      expected: 'a text of 1 to 32 small letters, digits and -, with a letter first',
      description: 'as it stands in _size of a link',
    }),
    width: Type.Integer({ minimum: 1, maximum: templateLimits.sidePxMax, unit: 'px' }),
    height: Type.Integer({ minimum: 1, maximum: templateLimits.sidePxMax, unit: 'px' }),
  },
  closed,
);

export type TemplateSize = Static<typeof Size>;

/** The property of a layer with its overrides, by the name of a size. */
export type BySize = { bySize?: Readonly<Record<string, SizeOverrides>> };

/** The schema of a layer type with `bySize`, whose properties have the schemas of the layer's properties. */
export function withSizes<Schema extends TObject>(type: string, schema: Schema): Schema {
  const overrides = sizeProperties(type).map((name) => {
    // An absent override keeps the layer's value, so the default does not apply.
    const {
      default: _standard,
      absent: _absent,
      section: _section,
      ...rest
    } = asNode(schema, name);
    return [name, Type.Optional(rest)] as const;
  });
  const bySize = Type.Record(
    Type.String({ pattern: sizeNamePattern }),
    Type.Object(Object.fromEntries(overrides), closed),
    {
      ...closed,
      maxProperties: templateLimits.sizesMax,
      content: 'sizes',
      description: 'what differs in a size, by the name of the size',
    },
  );
  const properties = { ...schema.properties, bySize: Type.Optional(bySize) };
  return Type.Object(properties, closed) as unknown as Schema;
}

function asNode({ properties }: TObject, name: string): TSchema & Record<string, unknown> {
  return { ...properties[name] };
}
