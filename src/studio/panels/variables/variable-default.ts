/** What a property shows, as the default of a variable that it is bound to. */
import type { VariableType } from '#language/schema/template.ts';

/** A property's value as the default of a variable of its type; what cannot be one becomes that type's plainest. */
export function defaultOf(type: VariableType, value: unknown): string {
  if (type === 'color') return colorOf(value);
  if (type === 'number') return typeof value === 'number' ? String(value) : '0';
  if (type === 'boolean') return String(value === true);
  return typeof value === 'string' ? value : '';
}

/** Of a gradient, its first colour. */
function colorOf(fill: unknown): string {
  if (typeof fill === 'string' && fill.startsWith('#')) return fill;
  const stops = (fill as { stops?: Array<{ color?: unknown }> } | undefined)?.stops ?? [];
  const color = stops.map((stop) => stop.color).find((each) => typeof each === 'string');
  return typeof color === 'string' && color.startsWith('#') ? color : '#000000';
}
