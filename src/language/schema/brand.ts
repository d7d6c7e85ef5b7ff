/** The TypeBox schema of the links of a layer or document to the brand kit. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { closed } from './paint.ts';

/** Ids of entries of a brand kit. */
export const brandIdPattern = '^[a-z0-9][a-z0-9-]{0,39}$';

/** Path of a property: names, and positions in lists, from the layer or document inwards. */
const propertyPattern = '^[a-z][A-Za-z]{0,39}(\\.([a-z][A-Za-z]{0,39}|[0-9]{1,2})){0,4}$';

const BrandLink = Type.Object(
  {
    property: Type.String({
      pattern: propertyPattern,
      expected:
        'a text: a property, such as fill, stroke.color, src, or textStyle for all of a text style',
    }),
    entry: Type.String({
      pattern: brandIdPattern,
      expected: 'a text: the id of an entry of the brand kit',
    }),
  },
  closed,
);

/** Links of one layer or document. A layer has few colours, and one logo, font or text style. */
export const BrandLinks = Type.Array(BrandLink, {
  maxItems: 16,
  content: 'links',
  description:
    'what follows the brand kit of the organization, when somebody applies it; images are the same',
});

export type BrandLink = Static<typeof BrandLink>;
