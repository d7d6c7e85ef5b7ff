/**
 * Links of spans to the brand kit. The layer stores them by the index of the span, which an edit of the text changes, so
 * an edit works on spans that hold their links.
 */
import type { BrandLink } from '#language/schema/brand.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { linksMax } from '../../state/brand.ts';

/** A span with its links. Their properties are paths from the span. */
export interface LinkedSpan extends TextSpan {
  brand?: BrandLink[];
}

const spansPath = 'spans.';

/** Spans of a layer with their links. A plain text is one span. */
export function linkedSpans({ text, spans, brand = [] }: TextLayer): LinkedSpan[] {
  return (spans ?? [{ text: text ?? '' }]).map((span, index) => {
    const path = `${spansPath}${index}.`;
    const links = brand
      .filter(({ property }) => property.startsWith(path))
      .map(({ property, entry }) => ({ property: property.slice(path.length), entry }));
    return links.length === 0 ? span : { ...span, brand: links };
  });
}

/** Writes spans, and their links with the indexes that the spans have now. */
export function writeLinkedSpans(layer: TextLayer, spans: readonly LinkedSpan[]): void {
  const ofLayer = (layer.brand ?? []).filter(({ property }) => !property.startsWith(spansPath));
  const ofSpans = spans.flatMap(({ brand = [] }, index) =>
    brand.map(({ property, entry }) => ({ property: `${spansPath}${index}.${property}`, entry })),
  );
  const links = [...ofLayer, ...ofSpans].slice(0, linksMax);
  layer.spans = spans.map(({ brand: _brand, ...span }) => span);
  if (links.length > 0) layer.brand = links;
  else delete layer.brand;
}
