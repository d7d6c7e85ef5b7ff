/** Measures a text layer whose size follows its content. */
import type { TextLayer } from '#language/schema/text.ts';
import { fitRatio, linesHeight, linesMax } from '../text/lines/fit-text.ts';
import type { MeasuredParagraph } from '../text/measured-paragraph.ts';
import { estimateWidth, widthTolerance } from '../text/measured-paragraph.ts';
import { breakAtRatio, unlimitedWidth } from './text-layer.ts';
import { tabsAtRatio, tabsWithin } from '../text/tabs.ts';
import { fontSizes } from './text-spans.ts';

/**
 * Kind of a layer's width. `natural` has no limit (`max-content` of CSS), `least` is the smallest width without
 * overflow (`min-content`). `fitted` is the smallest width if texts follow their overflow rule: they shrink, or end
 * with an ellipsis.
 */
export type WidthKind = 'natural' | 'least' | 'fitted';

/** Size in design pixels of a text that no box limits in height. */
export interface TextSize {
  widths: Readonly<Record<WidthKind, number>>;
  height: number;
  /** Height of the first line. */
  lineHeight: number;
  /** Whether the whole text fits in lines of the width, at its font size and without a cut word. */
  isWhole: boolean;
}

/** Sizes are multiples of this part of a design pixel, as in browsers: a box of the measured size holds the text. */
const sizeUnit = 1 / 64;

/**
 * Measures the paragraphs of the layer in lines of at most `width` design pixels. The tab stops of `unbounded` do not
 * depend on a box. A text that shrinks is measured at the size at which no word is cut, and at most at `textScale`
 * times its font size.
 */
export function measureText(
  layer: TextLayer,
  width: number,
  textScale: number,
  unbounded: readonly MeasuredParagraph[],
): TextSize {
  const { fontSize, smallest } = fontSizes(layer);
  const smallestRatio = smallest / fontSize;
  const padding = 2 * (layer.linePill?.paddingX ?? 0);
  const maxLines = layer.maxLines ?? Infinity;
  const bounds = { width: Math.min(width - padding, unlimitedWidth), height: Infinity, maxLines };
  const paragraphs = unbounded.map((each) => tabsWithin(each, bounds.width));
  const fitting = fitRatio(paragraphs, bounds, fontSize, smallest);
  const ratio = Math.min(fitting, Math.max(textScale, smallestRatio));
  const broken = breakAtRatio(layer, paragraphs, bounds, ratio);
  const lines = broken.slice(0, Math.min(maxLines, linesMax));
  const natural = Math.max(0, ...lines.map((line) => line.width)) + padding;
  const word = longestWord(paragraphs, ratio);
  const smallestWord = ratio === smallestRatio ? word : longestWord(paragraphs, smallestRatio);
  const isCutAnywhere =
    layer.wrap === false && (layer.overflow === 'ellipsis' || layer.overflow === 'clip');
  return {
    widths: {
      natural: roundUp(natural),
      least: isCutAnywhere ? 0 : roundUp(Math.min(word + padding, natural)),
      fitted: isCutAnywhere ? 0 : roundUp(Math.min(smallestWord + padding, natural)),
    },
    height: linesHeight(lines, ratio),
    lineHeight: linesHeight(lines.slice(0, 1), ratio),
    isWhole: ratio === 1 && lines.length === broken.length && word <= bounds.width + widthTolerance,
  };
}

function roundUp(size: number): number {
  return Math.ceil(size / sizeUnit) * sizeUnit;
}

/** Returns the width of the longest part without a position for a break, at a size ratio. */
function longestWord(paragraphs: readonly MeasuredParagraph[], ratio: number): number {
  let longest = 0;
  for (const paragraph of paragraphs.map((each) => tabsAtRatio(each, ratio))) {
    for (const [index, { start }] of paragraph.segments.entries()) {
      longest = Math.max(longest, estimateWidth(paragraph, start, index));
    }
  }
  return longest * ratio;
}
