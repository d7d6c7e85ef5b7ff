/** What a part of a layer begins with when somebody adds it: as little as the schema asks for, and visible. */
import type { Field } from '../fields/schema-fields.ts';

/** Where the least that the schema asks for would show nothing. */
const begins: Readonly<Record<string, unknown>> = {
  stroke: { color: '#22303c', width: 2 },
  border: { color: '#22303c', width: 2 },
  shadow: { y: 4, blur: 16, color: '#00000040' },
  linePill: { fill: '#ffe08a', paddingX: 10, paddingY: 4, cornerRadius: 6 },
  duotone: { dark: '#12355b', light: '#ffe9d6' },
  spans: { text: 'Text' },
  dash: 8,
  viewBox: [0, 0, 100, 100],
};

/** A first value of a property, or of an item of a list with the property's name. */
export function initialValue(field: Field): unknown {
  return begins[field.name] === undefined ? leastOf(field) : structuredClone(begins[field.name]);
}

/** A value of the field's kind, in bounds. */
function leastOf({ kind, standard }: Field): unknown {
  if (standard !== undefined) return standard;
  switch (kind.type) {
    case 'number':
      return Math.max(kind.min ?? 0, Math.min(kind.max ?? 0, 0));
    case 'boolean':
      return true;
    case 'choice':
      return kind.words[0];
    case 'color':
    case 'fill':
      return '#000000';
    case 'object':
      return Object.fromEntries(
        kind.fields
          .filter(({ isRequired }) => isRequired)
          .map((each) => [each.name, leastOf(each)]),
      );
    case 'tuple':
      return kind.items.map(leastOf);
    case 'list':
      return kind.least === 0 ? [] : [leastOf(kind.item)];
    case 'record':
      return {};
    default:
      return '';
  }
}
