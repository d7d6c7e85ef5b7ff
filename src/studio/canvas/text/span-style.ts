/** Reads and changes the look of a part of a text, and joins spans of equal look. */
import { bindingPattern } from '#language/bind/bindings.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { followedEntry, followEntry } from '../../state/brand.ts';
import { linkedSpans, writeLinkedSpans } from './span-links.ts';
import type { LinkedSpan } from './span-links.ts';

/** Style properties of a span. */
type SpanStyle = Omit<TextSpan, 'text' | 'visibleWhen'>;

/** A change of the look. Undefined removes a property. */
export type SpanLook = { [Name in keyof SpanStyle]?: SpanStyle[Name] | undefined };

/** UTF-16 indexes of the first character and the one after the last. */
export type TextRange = readonly [from: number, to: number];

/** Maximum number of spans of a text, as in the schema. */
const spansMax = 50;

/** Spans of a layer. A plain text is one span. */
export function spansOf({ text, spans }: Pick<TextLayer, 'text' | 'spans'>): TextSpan[] {
  return spans ?? [{ text: text ?? '' }];
}

/** Extends a range to whole bindings. A binding that is split over spans would not be one. */
export function wholeBindings(text: string, [from, to]: TextRange): TextRange {
  let [start, end] = [from, to];
  for (const { 0: binding, index } of text.matchAll(bindingPattern)) {
    const after = index + binding.length;
    if (from >= after || to <= index) continue;
    start = Math.min(start, index);
    end = Math.max(end, after);
  }
  return [start, end];
}

/** Distinct values of a property in a range. A span without the property has the layer's value. */
export function lookIn<Name extends keyof SpanLook>(
  layer: TextLayer,
  [from, to]: TextRange,
  name: Name,
): SpanLook[Name][] {
  let at = 0;
  const found = new Set<SpanLook[Name]>();
  for (const span of spansOf(layer)) {
    const after = at + span.text.length;
    if (at < to && after > from) found.add(span[name] ?? layer[name]);
    at = after;
  }
  return found.size === 0 ? [layer[name]] : [...found];
}

/**
 * Changes the look of a range of a text. Undefined removes a property, so that the layer's value applies again. A range
 * of the whole text changes the layer itself. With `entry`, the range then follows that entry of the brand kit. Returns
 * false, without a change, if there would be too many spans.
 */
export function styleRange(
  layer: TextLayer,
  range: TextRange,
  look: SpanLook,
  entry?: string,
): boolean {
  const spans = linkedSpans(layer);
  const text = spans.map((span) => span.text).join('');
  const [from, to] = wholeBindings(text, range);
  if (from <= 0 && to >= text.length) {
    for (const [name, value] of Object.entries(look)) {
      if (value === undefined) Reflect.deleteProperty(layer, name);
      else Reflect.set(layer, name, value);
      if (entry !== undefined) followEntry(layer, name, entry);
    }
    const plain = Object.fromEntries(Object.keys(look).map((name) => [name, undefined]));
    return writeSpans(
      layer,
      spans.map((span) => withLook(span, layer, plain)),
    );
  }
  let at = 0;
  const parts = spans.flatMap((span) => {
    const cut = (index: number): number => Math.min(Math.max(index - at, 0), span.text.length);
    const [start, end] = [cut(from), cut(to)];
    at += span.text.length;
    const styled = withLook({ ...span, text: span.text.slice(start, end) }, layer, look, entry);
    return [
      { ...span, text: span.text.slice(0, start) },
      styled,
      { ...span, text: span.text.slice(end) },
    ];
  });
  return writeSpans(layer, parts);
}

/**
 * Replaces a range of a text by styled parts. Properties that a part does not set are those of a letter typed there.
 * Returns false, without a change, if there would be too many spans.
 */
export function insertSpans(
  layer: TextLayer,
  [from, to]: TextRange,
  parts: readonly TextSpan[],
): boolean {
  const spans = linkedSpans(layer);
  // The look of the first replaced letter, or of the letter before the caret.
  const reach = to > from ? from + 1 : from;
  let at = 0;
  const around = spans.find((span) => reach <= (at += span.text.length)) ?? spans.at(-1);
  const inserted = parts.map(({ text, ...look }) => withLook({ ...around, text }, layer, look));
  return writeSpans(layer, [
    ...cutSpans(spans, 0, from),
    ...inserted,
    ...cutSpans(spans, to, Number.POSITIVE_INFINITY),
  ]);
}

function cutSpans(spans: readonly LinkedSpan[], from: number, to: number): LinkedSpan[] {
  let at = 0;
  return spans.map((span) => {
    const text = span.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += span.text.length;
    return { ...span, text };
  });
}

/** The span with a look, which follows `entry`. Leaves out properties that the span has from the layer. */
function withLook(
  { brand = [], ...span }: LinkedSpan,
  layer: TextLayer,
  look: SpanLook,
  entry?: string,
): LinkedSpan {
  const links = brand.filter(({ property }) => !Object.hasOwn(look, property.split('.')[0] ?? ''));
  for (const [name, value] of Object.entries(look)) {
    const isOfLayer =
      JSON.stringify(value) === JSON.stringify(Reflect.get(layer, name)) &&
      (entry === undefined || followedEntry(layer, name) === entry);
    if (value === undefined || isOfLayer) Reflect.deleteProperty(span, name);
    else {
      Reflect.set(span, name, value);
      if (entry !== undefined) links.push({ property: name, entry });
    }
  }
  return links.length === 0 ? span : { ...span, brand: links };
}

/** Writes spans: drops empty ones, and joins neighbours of equal look. A single span without a look becomes `text`. */
function writeSpans(layer: TextLayer, spans: readonly LinkedSpan[]): boolean {
  const joined: LinkedSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (span.text === '') continue;
    if (last !== undefined && isSameLook(last, span)) last.text += span.text;
    else joined.push({ ...span });
  }
  if (joined.length > spansMax) return false;
  writeLinkedSpans(layer, joined);
  const [only = { text: '' }] = joined;
  if (joined.length <= 1 && Object.keys(only).length === 1) {
    layer.text = only.text;
    delete layer.spans;
  } else delete layer.text;
  return true;
}

function isSameLook(one: LinkedSpan, other: LinkedSpan): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  names.delete('text');
  return [...names].every((name) => {
    const [value, otherValue] = [one, other].map((span) => Reflect.get(span, name) as unknown);
    return JSON.stringify(value) === JSON.stringify(otherValue);
  });
}

/** Default weight of a text, and the weight that bold sets. */
export const regularWeight = 400;
const boldWeight = 700;
/** Smallest weight that counts as bold. */
const boldMin = 600;

/** Changes of bold, italic and underline on a range. Each is removed if the whole range has it. */
export const toggles = {
  bold(layer: TextLayer, range: TextRange): SpanLook {
    return { fontWeight: isStyled(layer, range, 'bold') ? regularWeight : boldWeight };
  },
  italic(layer: TextLayer, range: TextRange): SpanLook {
    return { fontStyle: isStyled(layer, range, 'italic') ? 'normal' : 'italic' };
  },
  underline(layer: TextLayer, range: TextRange): SpanLook {
    return { underline: !isStyled(layer, range, 'underline') };
  },
} as const;

export type ToggledStyle = keyof typeof toggles;

/** Whether a whole range is bold, italic or underlined. */
export function isStyled(layer: TextLayer, range: TextRange, name: ToggledStyle): boolean {
  if (name === 'bold') {
    const weights = lookIn(layer, range, 'fontWeight');
    return weights.every((weight = regularWeight) => weight >= boldMin);
  }
  if (name === 'italic') {
    return lookIn(layer, range, 'fontStyle').every((style) => style === 'italic');
  }
  return lookIn(layer, range, 'underline').every((each) => each === true);
}
