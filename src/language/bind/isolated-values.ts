/**
 * Isolates the values of a bound text layer, so that a value of the other direction moves neither the words nor the
 * punctuation of a template.
 */
import type { Layer } from '../schema/layers.ts';
import type { TextLayer } from '../schema/text.ts';
import type { FormatContext } from '../values/value-formats.ts';
import { bindDrawnText } from './bindings.ts';
import { isolate, joinNumbers, rightToLeftPattern } from './isolation.ts';

/**
 * Whether the values of a bound text are isolated: only where a character or the layer orders text from right to left,
 * or where words are hyphenated, which values are not. Other texts stay as they are, because nothing could move.
 */
function needsIsolation({ direction, hyphenate, text, spans, alternatives }: TextLayer): boolean {
  if (direction === 'rtl' || hyphenate === true) return true;
  return [text, ...(spans ?? []).map((span) => span.text), ...(alternatives ?? [])].some(
    (each) => each !== undefined && rightToLeftPattern.test(each),
  );
}

/** As `bindDrawnText`, with each value isolated from the text around it, unless both are one number. */
export function bindIsolated(
  text: string,
  values: ReadonlyMap<string, string>,
  context: FormatContext,
): string {
  return joinNumbers([bindDrawnText(text, values, context, isolate)]).join('');
}

/**
 * The bound layer with isolated values. `template` is the same layer before binding, with the same spans, and
 * `bind` binds one of its texts with `bindIsolated`. Returns the same object if no value needs it.
 */
export function withIsolatedValues(
  bound: Layer,
  template: Layer,
  bind: (text: string) => string,
): Layer {
  if (bound === template || bound.type !== 'text' || template.type !== 'text') return bound;
  if (!needsIsolation(bound)) return bound;
  const isolated = { ...bound };
  if (template.text !== undefined) isolated.text = bind(template.text);
  if (template.alternatives !== undefined) isolated.alternatives = template.alternatives.map(bind);
  if (template.spans !== undefined && bound.spans !== undefined) {
    const texts = joinNumbers(template.spans.map(({ text }) => bind(text)));
    isolated.spans = bound.spans.map((span, index) => ({ ...span, text: texts[index] ?? '' }));
  }
  return isolated;
}
