/** The thumbnail of a drawing: its markup with its colours and values. */
import type { VNode } from 'preact';
import type { SvgLayer } from '#language/schema/layers.ts';

interface DrawingThumbnailProps {
  layer: SvgLayer;
  /** Returns a value of the document as the preview shows it. */
  read: (value: string) => string;
}

/** A binding, or a colour. `#name` after `url(` or in `href` is a reference to an element. */
const replacedPattern =
  /\{\{[^{}]*\}\}|(?<!url\(\s*["']?|href\s*=\s*["'])#[\da-f]{3,8}\b|\bcurrentColor\b/gi;

/** Browsers run no scripts of an image and load no files for it. */
export function DrawingThumbnail({ layer, read }: DrawingThumbnailProps): VNode {
  const colors = new Map(
    Object.entries(layer.colors ?? {}).map(([from, to]) => [from.toLowerCase(), to]),
  );
  const markup = layer.svg.replaceAll(replacedPattern, (found) =>
    read(colors.get(found.toLowerCase()) ?? found).replaceAll(
      /[&<>"']/g,
      (character) => `&#${character.charCodeAt(0)};`,
    ),
  );
  return <img src={`data:image/svg+xml,${encodeURIComponent(withNamespace(markup))}`} alt="" />;
}

/** Images need the namespace, which layers may leave out. */
function withNamespace(markup: string): string {
  return markup.replace(/<svg\b(?![^>]*\sxmlns\s*=)/, '<svg xmlns="http://www.w3.org/2000/svg"');
}
