/** What layers are called where people read it. */
import type { Layer } from '#language/schema/layers.ts';

/** Letters of a text that stand for its layer. */
const excerptMax = 40;

/** The layer's own name, or a text's first words, or its id. */
export function nameOf(layer: Layer): string {
  if (layer.name !== undefined && layer.name !== '') return layer.name;
  if (layer.type !== 'text') return layer.id;
  const text = layer.text ?? (layer.spans ?? []).map((span) => span.text).join('');
  const excerpt = text.replaceAll(/\s+/g, ' ').trim().slice(0, excerptMax);
  return excerpt === '' ? layer.id : excerpt;
}
