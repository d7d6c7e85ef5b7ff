/** The thumbnail of a drawing: its markup with its colours and values. */
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SvgLayer } from '#language/schema/layers.ts';
import { icon } from '../../icons.tsx';

interface DrawingThumbnailProps {
  layer: SvgLayer;
  /** Returns a value of the document as the preview shows it. */
  read: (value: string) => string;
  /** What `read` depends on. */
  inputs: readonly unknown[];
}

/** A binding, or a colour. `#name` after `url(` or in `href` is a reference to an element. */
const replacedPattern =
  /\{\{[^{}]*\}\}|(?<!url\(\s*["']?|href\s*=\s*["'])#[\da-f]{3,8}\b|\bcurrentColor\b/gi;

/** Largest markup that is shown, in characters: a list of layers is drawn with each change. */
const markupLengthMax = 20_000;

/** Elements that cost a browser no more than their markup is long. */
const plainElements =
  'svg|g|path|circle|ellipse|line|poly\\w+|rect|title|desc|text|tspan|defs|linearGradient|radialGradient|stop';

/** Markup whose drawing can take a browser long, such as a copy of copies, or millions of dashes. */
const costlyPattern = new RegExp(`<(?!/?(?:${plainElements})\\b)|dash|style`, 'i');

/** Browsers run no scripts of an image and load no files for it. Costly markup has the icon of its kind. */
export function DrawingThumbnail({ layer, read, inputs }: DrawingThumbnailProps): VNode {
  const address = useMemo(() => drawingAddress(layer, read), [layer.svg, layer.colors, ...inputs]);
  return address === undefined ? icon('svg') : <img src={address} alt="" />;
}

/** Returns the `data:` URL of a drawing; undefined for costly markup. */
function drawingAddress(layer: SvgLayer, read: DrawingThumbnailProps['read']): string | undefined {
  if (layer.svg.length > markupLengthMax || costlyPattern.test(layer.svg)) return undefined;
  const colors = new Map(
    Object.entries(layer.colors ?? {}).map(([from, to]) => [from.toLowerCase(), to]),
  );
  const markup = layer.svg.replaceAll(replacedPattern, (found) =>
    read(colors.get(found.toLowerCase()) ?? found).replaceAll(
      /[&<>"']/g,
      (character) => `&#${character.charCodeAt(0)};`,
    ),
  );
  return `data:image/svg+xml,${encodeURIComponent(withNamespace(markup))}`;
}

/** Images need the namespace, which layers may leave out. */
function withNamespace(markup: string): string {
  return markup.replace(/<svg\b(?![^>]*\sxmlns\s*=)/, '<svg xmlns="http://www.w3.org/2000/svg"');
}
