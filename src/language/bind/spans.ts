/** Leaves out the spans of a text whose conditions do not hold. */
import type { Layer } from '../schema/layers.ts';
import type { TextSpan } from '../schema/text.ts';
import { conditionsHold } from './conditions.ts';
import type { Compared } from './conditions.ts';

/** The conditions of a text's spans. The conditions of the layer itself are evaluated before it is bound. */
export function conditionsOfSpans(layer: Layer): NonNullable<TextSpan['visibleWhen']>[] {
  const spans = layer.type === 'text' ? (layer.spans ?? []) : [];
  return spans.flatMap(({ visibleWhen }) => (visibleWhen === undefined ? [] : [visibleWhen]));
}

function withoutCondition(span: TextSpan): TextSpan {
  if (span.visibleWhen === undefined) return span;
  const copy = { ...span };
  delete copy.visibleWhen;
  return copy;
}

/**
 * The layer with its visible spans, without their conditions. Returns the same object for a layer without conditional
 * spans.
 */
export function withShownSpans(
  template: Layer,
  compared: Compared,
  values: ReadonlyMap<string, string>,
): Layer {
  if (template.type !== 'text' || conditionsOfSpans(template).length === 0) return template;
  const spans = template.spans
    ?.filter(({ visibleWhen }) => conditionsHold(visibleWhen, { ...compared, values }))
    .map(withoutCondition);
  // A text has at least one span.
  return { ...template, spans: spans?.length === 0 ? [{ text: '' }] : (spans ?? []) };
}
