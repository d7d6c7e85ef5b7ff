/** What the images of a template say, for their `alt`. */

/** One text of an image: words of the template, and variables by name. */
export type ImageText = readonly (string | { variable: string })[];

/** A layer as far as its words go; a document's layers are such. */
interface WordLayer {
  type: string;
  visible?: unknown;
  visibleWhen?: unknown;
  text?: string;
  spans?: readonly { text: string }[];
  layers?: readonly WordLayer[];
}

const binding = /\{\{([^{}]{1,128})\}\}/;

/**
 * The texts of a template in the order in which they are painted. Left out are ornaments without a letter or digit, and
 * layers that not every image shows.
 */
export function imageTexts(layers: readonly WordLayer[]): ImageText[] {
  return layers.flatMap((layer): ImageText[] => {
    const { type, visible = true, visibleWhen, text = '', spans } = layer;
    if (visible !== true || visibleWhen !== undefined) return [];
    if (type === 'group') return imageTexts(layer.layers ?? []);
    if (type !== 'text') return [];
    const whole = spans === undefined ? text : spans.map((span) => span.text).join('');
    return /[\p{L}\p{N}]/u.test(whole) ? [toParts(whole)] : [];
  });
}

function toParts(text: string): ImageText {
  // The group of the pattern is every second piece.
  return text
    .split(binding)
    .map((piece, index) => (index % 2 === 0 ? piece : { variable: piece.trim() }))
    .filter((piece) => piece !== '');
}
