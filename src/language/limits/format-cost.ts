/** What the formats of a document's bindings take. */
import { bindingsIn, walkStrings } from '../bind/bindings.ts';
import { withoutChildren } from '../layer-tree.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import type { FormattedBinding } from '../values/formatted-binding.ts';
import { itemPrefix } from '../values/list-value.ts';
import { valueFormats } from '../values/value-formats.ts';
import { longestValues } from './longest-values.ts';
import { templateLimits } from './template-limits.ts';
import { countCodePoints } from './text-limit.ts';

/** A template's layers, groups' children too, with their JSON paths and how often each is drawn at most. */
export type PathedLayers = readonly (readonly [path: string, layer: Layer, times: number])[];

/** A formatter of the language, which a number or a date with another argument may need, takes 20 µs to create. */
const formatterUs = 20;
/** One call of a format: a date in words takes most. */
const callUs = 10;

/** The cost of the formats of a document, and what to change if it is too high. */
export interface FormatCost {
  /** Milliseconds of one core with the most expensive values that a link can give. */
  ms: number;
  /** The binding that costs most of a value of the same length. */
  costliest: string;
  /** Names of the text variables in it, those with the most expensive values first. */
  names: string[];
}

/**
 * The formats of a template with the longest values: each different binding once for each item and frame that may give
 * another value, because `formatValue` remembers what it wrote. Linear in the document.
 */
export function formatCost(template: Template, layers: PathedLayers): FormatCost {
  const { variables } = template;
  const valueUs = new Map<string, number>();
  let us = 0;
  let costliest = { source: '', us: 0 };
  for (const [source, times] of formattedBindings(template, layers)) {
    const { name, formats, adds } = compileBinding(source);
    const codePointUs = codePointsUs(formats);
    const called = times * (name.startsWith('countdown.') ? templateLimits.framesMax : 1);
    us += formattersUs(formats) + formats.length * called * callUs;
    us += called * adds * codePointUs;
    valueUs.set(name, (valueUs.get(name) ?? 0) + codePointUs);
    if (codePointUs >= costliest.us) costliest = { source, us: codePointUs };
  }
  const longest = longestValues(valueUs, variables);
  let itemUs = 0;
  for (const [name, one] of valueUs)
    if (name.startsWith(itemPrefix)) itemUs = Math.max(itemUs, one);
  us += longest.us + itemUs * templateLimits.listTextCodePointsMax;
  us += documentValues(template).reduce(
    (sum, [name, value]) => sum + (valueUs.get(name) ?? 0) * countCodePoints(value),
    0,
  );
  return { ms: us / 1000, costliest: costliest.source, names: longest.names };
}

/** Each different binding with formats, and how many items give it a value. */
function formattedBindings(
  { variables, background, alt, clock }: Template,
  layers: PathedLayers,
): Map<string, number> {
  const names = new Set(variables.map(({ name }) => name));
  const found = new Map<string, number>();
  const parts = layers.map(([, layer, times]) => [withoutChildren(layer), times] as const);
  for (const [part, times] of [...parts, [{ background, alt, clock }, 1] as const]) {
    for (const [, text] of walkStrings(part)) {
      if (!text.includes('|')) continue;
      for (const source of bindingsIn(text)) {
        if (!source.includes('|') || names.has(source)) continue;
        const called = source.startsWith(itemPrefix) ? times : 1;
        found.set(source, Math.max(found.get(source) ?? 0, called));
      }
    }
  }
  return found;
}

function formattersUs(formats: FormattedBinding['formats']): number {
  const short = formats.filter(({ name }) => valueFormats[name]?.codePointUs === undefined);
  return short.length * formatterUs;
}

function codePointsUs(formats: FormattedBinding['formats']): number {
  return formats.reduce((sum, { name }) => sum + (valueFormats[name]?.codePointUs ?? 0), 0);
}

/** Values that the document gives: of its variables and of its frames. */
function documentValues({ variables, animation }: Template): [name: string, value: string][] {
  const frames = animation?.type === 'values' ? animation.frames : [];
  return [
    ...variables.flatMap((variable): [string, string][] =>
      variable.type === 'list' ? [] : [[variable.name, variable.value]],
    ),
    ...frames.flatMap(({ values }) => Object.entries(values)),
  ];
}
