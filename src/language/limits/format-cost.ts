/** Estimates the CPU time of the value formats of a document. */
import { boundTextsIn } from '../bind/bindings.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import type { FormattedBinding } from '../values/formatted-binding.ts';
import { itemPrefix } from '../values/list-value.ts';
import { valueFormats } from '../values/value-formats.ts';
import { longestValues } from './longest-values.ts';
import { templateLimits } from './template-limits.ts';
import { countCodePoints } from './text-limit.ts';

/**
 * All layers of a template, including children of groups, with their JSON paths and the maximum number of times each is
 * drawn.
 */
export type PathedLayers = readonly (readonly [path: string, layer: Layer, times: number])[];

/** Creating an `Intl` formatter takes 20 µs. Numbers and dates need one for each different argument. */
const formatterUs = 20;
/** Upper bound of one call of a format: a date in words. */
const callUs = 10;

/** The cost of the formats of a document, and what to change if it is too high. */
export interface FormatCost {
  /** CPU time with the most expensive values that a link can give, in ms. */
  ms: number;
  /** The binding with the highest cost per code point. */
  costliest: string;
  /** Names of the text variables, those with the most expensive values first. */
  names: string[];
}

/**
 * The cost of a template's formats with the longest values. Each different binding counts once for each item and frame
 * with another value, because `formatValue` caches its results. Linear in the document.
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

/** Each different binding with formats, and the number of items that give it a value. */
function formattedBindings(
  { variables, background, alt, clock }: Template,
  layers: PathedLayers,
): Map<string, number> {
  const names = new Set(variables.map(({ name }) => name));
  const found = new Map<string, number>();
  const parts = layers.map(([, layer, times]) => [layer, times] as const);
  for (const [part, times] of [...parts, [{ background, alt, clock }, 1] as const]) {
    for (const { sources } of boundTextsIn(part)) {
      for (const source of sources) {
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

/** Values in the document: those of its variables and of its frames. */
function documentValues({ variables, animation }: Template): [name: string, value: string][] {
  const frames = animation?.type === 'values' ? animation.frames : [];
  return [
    ...variables.flatMap((variable): [string, string][] =>
      variable.type === 'list' ? [] : [[variable.name, variable.value]],
    ),
    ...frames.flatMap(({ values }) => Object.entries(values)),
  ];
}
