/** Lays out a text layer: values in, runs with their places out. Plain data, no pixels. */
import type { TextLayer } from '#language/schema/text.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayContent, Rect } from '../display-list.ts';
import type { Scene } from '../bind-scene.ts';
import type { Line } from '../text/lines/break-lines.ts';
import type { MeasuredParagraph } from '../text/measured-paragraph.ts';
import { breakLines } from '../text/lines/break-lines.ts';
import { countLines, measureParagraphs } from '../text/measured-paragraph.ts';
import type { TextBounds } from '../text/lines/fit-text.ts';
import {
  countLinesThatFit,
  fitRatio,
  inkSlack,
  linesMax,
  linesToBreak,
  plainSlack,
} from '../text/lines/fit-text.ts';
import { plainSample } from '../text/lines/metrics.ts';
import type { Paragraph } from '../text/paragraphs.ts';
import { splitParagraphs } from '../text/paragraphs.ts';
import { truncateLines } from '../text/lines/fit-text.ts';
import { joiner } from '../text/joining.ts';
import { layoutPathText } from './path-text.ts';
import type { PlacedText } from './place-lines.ts';
import { linesBox, placeLines } from './place-lines.ts';
import { fontSizes, styledSpans } from './text-spans.ts';

const partingJoiners = new RegExp(`^${joiner}|${joiner}$`, 'g');

/** A laid out text: what to paint, and what the designer should know. */
export interface TextLayout {
  content: DisplayContent;
  /** Font size after shrinking, design pixels. */
  fontSize: number;
  lines: number;
  /** The text of each line that shows something, in logical order; none along a path. */
  lineTexts: string[];
  warnings: RenderWarning[];
}

/**
 * Breaks, fits and places the layer's text inside its box. Text that does not fit is shrunk, cut
 * with an ellipsis, clipped or left to stand over, as `overflow` says, and warned about when a
 * reader would miss a part of it. Bounded by the limits of text-spans.ts: a layout of any text
 * takes less than 50 ms.
 */
export function layoutText(layer: TextLayer, box: Rect, scene: Scene): TextLayout {
  const warnings: RenderWarning[] = [];
  const spans = styledSpans(layer, scene, warnings);
  const paragraphs = splitParagraphs(spans, scene.lang, layer.direction);
  if (layer.path !== undefined) {
    const measured = measureParagraphs(paragraphs);
    return { ...layoutPathText(layer, box, measured, warnings), lines: 1, lineTexts: [], warnings };
  }
  const { fontSize } = fontSizes(layer);
  const { placed, lines, ratio, problems } = placeText(layer, box, paragraphs, scene.height);
  warnings.push(...problems);
  const content: DisplayContent = {
    kind: 'text',
    backgrounds: placed.backgrounds,
    runs: placed.runs,
    lines: placed.rules,
    box: placed.box,
    clips: layer.overflow === 'clip',
    stroke: layer.stroke,
  };
  const lineTexts = lines.map(textOf).filter((text) => text.trim() !== '');
  return { content, fontSize: fontSize * ratio, lines: lines.length, lineTexts, warnings };
}

/** A line as its author wrote it: without the joiners that keep the shapes of a parted word. */
function textOf({ pieces }: Line): string {
  const text = pieces.map((piece) => piece.text).join('');
  return text.replace(partingJoiners, '');
}

/** Lines in their places, and what a reader misses of the text. */
interface FittedText {
  placed: PlacedText;
  lines: Line[];
  ratio: number;
  problems: RenderWarning[];
}

/**
 * Fits the text and places its first line as letters like d would stand, so that neighbours keep one baseline and one
 * size whatever their values say. Higher letters (Ế) reach over a tight box, but where they would be cut, by the layer's
 * clip or the canvas, they push the line down and make it smaller.
 */
function placeText(
  layer: TextLayer,
  box: Rect,
  paragraphs: readonly Paragraph[],
  canvasHeight: number,
): FittedText {
  const isPlain = paragraphs.every(({ highSample }) => highSample === plainSample);
  const clips = layer.overflow === 'clip' || layer.clip !== undefined;
  if (isPlain || clips) return fitText(layer, box, paragraphs, canvasHeight);
  const plain = paragraphs.map((paragraph) => ({ ...paragraph, highSample: plainSample }));
  const fitted = fitText(layer, box, plain, canvasHeight);
  return isInkCut(fitted) ? fitText(layer, box, paragraphs, canvasHeight) : fitted;
}

function fitText(
  layer: TextLayer,
  box: Rect,
  paragraphs: readonly Paragraph[],
  canvasHeight: number,
): FittedText {
  const { fontSize, smallest } = fontSizes(layer);
  const measured = measureParagraphs(paragraphs);
  const bounds = boundsOf(layer, linesBox(layer, box));
  const ratio = fitRatio(measured, bounds, fontSize, smallest);
  const problems: RenderWarning[] = [];
  const lines = fitLines(layer, measured, bounds, ratio, problems);
  return { placed: placeLines(layer, box, lines, ratio, canvasHeight), lines, ratio, problems };
}

/** Whether letters of the first line leave the canvas where a d would not. */
function isInkCut({ placed, lines: [first], ratio }: FittedText): boolean {
  if (first === undefined) return false;
  const { paragraph } = first;
  const own = { ...first, paragraph: { ...paragraph, highSample: paragraph.sample } };
  return (
    placed.top + inkSlack(own, ratio).slackAbove < 0 &&
    placed.top + plainSlack(first, ratio).slackAbove >= 0
  );
}

function boundsOf(layer: TextLayer, box: Rect): TextBounds {
  const open = layer.overflow === 'grow' || layer.overflow === 'visible';
  return {
    width: box.width,
    height: open ? Infinity : box.height,
    // Nothing of a visible text is cut.
    maxLines: layer.overflow === 'visible' ? Infinity : (layer.maxLines ?? Infinity),
  };
}

function fitLines(
  layer: TextLayer,
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
  warnings: RenderWarning[],
): Line[] {
  const lines = breakAtRatio(layer, paragraphs, bounds, ratio);
  const fitting = countLinesThatFit(lines, bounds, ratio);
  if (fitting === lines.length) return lines;
  const clips = layer.overflow === 'clip';
  // One line is always drawn. When it is all of the text, nothing is cut.
  const isWhole = lines.length === 1;
  const held =
    fitting === 0
      ? 'a line of it is higher than the box'
      : `the layer holds ${fitting} of its lines`;
  warnings.push({
    code: clips || isWhole ? 'TEXT_OVERFLOWS' : 'TEXT_TRUNCATED',
    layer: layer.id,
    detail: `the text does not fit: ${held}`,
  });
  if (clips) return lines.slice(0, Math.min(bounds.maxLines, linesMax));
  return isWhole ? lines : truncateLines(lines, fitting, bounds.width, ratio);
}

/** One line more than can be shown tells that there is more. */
function breakAtRatio(
  layer: TextLayer,
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): Line[] {
  // Of clipped text the lines that nobody sees decide where the others stand.
  const most = layer.overflow === 'clip' ? linesMax + 1 : linesToBreak(paragraphs, bounds, ratio);
  const lines = breakLines(paragraphs, bounds.width, ratio, most);
  if (layer.balance !== true || lines.length === 1) return lines;
  const width = balancedWidth(paragraphs, bounds.width, ratio);
  const balanced = breakLines(paragraphs, width, ratio, most);
  // Arithmetic may be wrong by a hair: balance never costs a line.
  return balanced.length > lines.length ? lines : balanced;
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
