/** Lays out a text layer: values in, runs with their places out. Plain data, no pixels. */
import type { TextLayer } from '#shared/text-schemas.ts';
import type { RenderWarning } from '#shared/render-job.ts';
import type { DisplayContent, PathGlyph, Rect } from '../display-list.ts';
import type { Scene } from '../scene.ts';
import type { Line, MeasuredParagraph } from '../text/break-lines.ts';
import { breakLines, countLines, measureParagraphs } from '../text/break-lines.ts';
import { splitGraphemes } from '../text/emoji.ts';
import type { TextBounds } from '../text/fit-text.ts';
import { countLinesThatFit, fitRatio, truncateLines } from '../text/fit-text.ts';
import { measureEm } from '../text/measure.ts';
import { splitParagraphs } from '../text/paragraphs.ts';
import { fontAt } from '../text/style.ts';
import { placeLines } from './place-lines.ts';
import { fontSizeDefault, styledSpans } from './text-spans.ts';

/** Smallest font size of a shrink that names none, as a part of the layer's own. */
const minSizeRatio = 0.5;

/** A laid out text: what to paint, and what the designer should know. */
export interface TextLayout {
  content: DisplayContent;
  /** Font size after shrinking, design pixels. */
  fontSize: number;
  lines: number;
  warnings: RenderWarning[];
}

/**
 * Breaks, fits and places the layer's text inside its box. Text that does not fit is shrunk, cut
 * with an ellipsis, clipped or left to stand over, as `overflow` says, and warned about when a
 * reader would miss a part of it. Bounded by the value limits: at most 2,000 code points a value.
 */
export function layoutText(layer: TextLayer, box: Rect, scene: Scene): TextLayout {
  const warnings: RenderWarning[] = [];
  const spans = styledSpans(layer, scene, warnings);
  const paragraphs = measureParagraphs(splitParagraphs(spans, scene.lang, layer.direction));
  const fontSize = layer.fontSize ?? fontSizeDefault;
  if (layer.path !== undefined) {
    return { content: followPath(layer, box, paragraphs), fontSize, lines: 1, warnings };
  }
  const bounds = boundsOf(layer, box);
  const ratio =
    (layer.overflow ?? 'shrink') === 'shrink'
      ? fitRatio(
          paragraphs,
          bounds,
          fontSize,
          Math.min(fontSize, layer.minSize ?? fontSize * minSizeRatio),
        )
      : 1;
  const lines = fitLines(layer, paragraphs, bounds, ratio, scene.lang, warnings);
  const {
    backgrounds,
    runs,
    lines: rules,
    height,
  } = placeLines(layer, box, lines, ratio, scene.lang);
  const content: DisplayContent = {
    kind: 'text',
    backgrounds,
    runs,
    lines: rules,
    box: layer.overflow === 'grow' ? { ...box, height } : box,
    clips: layer.overflow === 'clip',
    stroke: layer.stroke,
  };
  return { content, fontSize: fontSize * ratio, lines: lines.length, warnings };
}

function boundsOf(layer: TextLayer, box: Rect): TextBounds {
  const open = layer.overflow === 'grow' || layer.overflow === 'visible';
  return {
    width: box.width,
    height: open ? Infinity : box.height,
    maxLines: layer.maxLines ?? Infinity,
  };
}

function fitLines(
  layer: TextLayer,
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
  lang: string,
  warnings: RenderWarning[],
): Line[] {
  const width =
    layer.balance === true ? balancedWidth(paragraphs, bounds.width, ratio) : bounds.width;
  const lines = breakLines(paragraphs, width, ratio);
  const fitting = countLinesThatFit(lines, bounds, ratio);
  if (fitting === lines.length) return lines;
  const clips = layer.overflow === 'clip';
  warnings.push({
    code: clips ? 'TEXT_OVERFLOWS' : 'TEXT_TRUNCATED',
    layer: layer.id,
    detail: `${lines.length} lines of text do not fit; the box holds ${fitting}`,
  });
  if (clips) return lines.slice(0, bounds.maxLines);
  return truncateLines(lines, fitting, bounds.width, ratio, lang);
}

/** The narrowest width, to a design pixel, at which the text takes no more lines than at full width. */
function balancedWidth(
  paragraphs: readonly MeasuredParagraph[],
  width: number,
  ratio: number,
): number {
  const most = countLines(paragraphs, width / ratio);
  let low = width / 4;
  let high = width;
  while (high - low > 1) {
    const middle = (low + high) / 2;
    const { lines, cutsWord } = countLines(paragraphs, middle / ratio);
    if (lines <= most.lines && !(cutsWord && !most.cutsWord)) high = middle;
    else low = middle;
  }
  // Kerning can make the exact lines a little wider than the sums they were counted by.
  return Math.min(width, high + 1);
}

/** Lays the first paragraph along the layer's path. Joined scripts keep their words whole. */
function followPath(
  layer: TextLayer,
  box: Rect,
  paragraphs: readonly MeasuredParagraph[],
): DisplayContent {
  const glyphs: PathGlyph[] = [];
  let offset = 0;
  for (const segment of paragraphs[0]?.segments ?? []) {
    for (const piece of [...segment.pieces, ...segment.space]) {
      const { face, style } = piece;
      const joined = /[\p{Script=Arabic}\p{Script=Devanagari}]/u.test(piece.text);
      for (const text of joined ? [piece.text] : splitGraphemes(piece.text)) {
        const width = measureEm(face, text) * style.size;
        const font = {
          css: fontAt(face, style.size),
          size: style.size,
          features: face.features,
          variations: face.variations,
          letterSpacing: 0,
          wordSpacing: 0,
        };
        glyphs.push({ text, offset: offset + width / 2, width, font, fill: style.fill });
        offset += width;
      }
    }
  }
  const align = { center: 0.5, right: 1, end: 1, left: 0, start: 0, justify: 0 }[
    layer.align ?? 'start'
  ];
  return {
    kind: 'path-text',
    data: layer.path ?? '',
    box,
    glyphs,
    width: offset,
    align,
    stroke: layer.stroke,
  };
}
