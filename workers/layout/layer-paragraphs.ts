/** Prepares the text of a layer for layout: paragraphs by the layer's rules for lines, and their widths. */
import { withoutIsolates } from '#language/bind/isolation.ts';
import { spansOf } from '#language/limits/text-limit.ts';
import { composed } from '#language/normal-form.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { Scene } from '../bind-scene.ts';
import { plainSample } from '../text/lines/metrics.ts';
import type { MeasuredParagraph } from '../text/measured-paragraph.ts';
import { measureParagraphs, withHighSample } from '../text/measured-paragraph.ts';
import type { Paragraph, Segment } from '../text/paragraphs.ts';
import { splitParagraphs } from '../text/paragraphs.ts';
import type { StyledText } from '../text/style.ts';
import { withTabs } from '../text/tabbed-paragraph.ts';
import { styledSpans } from './text-spans.ts';

/** The results for a text that do not depend on its box: prepared once for its size and its lines. */
export interface PreparedText {
  /** The text as its author wrote it. */
  text: string;
  paragraphs: readonly Paragraph[];
  /** Measures the paragraphs in the first call, and returns the same ones later. */
  measured: () => readonly MeasuredParagraph[];
  /** Returns measured paragraphs as if no letter were higher than a d. */
  measuredPlain: () => readonly MeasuredParagraph[];
  warnings: readonly RenderWarning[];
}

export function prepareText(layer: TextLayer, scene: Scene): PreparedText {
  const written = spansOf(layer).map((span) => span.text);
  const text = composed(withoutIsolates(written.join('')));
  const warnings: RenderWarning[] = [];
  const paragraphs = paragraphsOf(layer, styledSpans(layer, scene, warnings), scene);
  let measured: MeasuredParagraph[] | undefined;
  return {
    text,
    paragraphs,
    measured: () => (measured ??= measureParagraphs(paragraphs)),
    measuredPlain: () =>
      measured?.map((paragraph) => withHighSample(paragraph, plainSample)) ??
      measureParagraphs(paragraphs.map((paragraph) => ({ ...paragraph, highSample: plainSample }))),
    warnings,
  };
}

/** Returns the paragraphs of a text, by the layer's rules for lines. */
function paragraphsOf(layer: TextLayer, spans: readonly StyledText[], scene: Scene): Paragraph[] {
  // Text along a path has no tab stops.
  const stops = layer.path === undefined ? (layer.tabStops ?? []) : [];
  const keepsTabs = stops.length > 0;
  const split = splitParagraphs(spans, scene.lang, layer, keepsTabs);
  return split.map((paragraph, index) => {
    const tabbed = keepsTabs ? { ...withTabs(paragraph, stops) } : { ...paragraph };
    if (index > 0) tabbed.spaceAbove = layer.paragraphSpacing ?? 0;
    // Line metrics as if no letter were higher or lower than those of the sample.
    if (layer.firstBaseline === 'font') tabbed.sample = tabbed.highSample = plainSample;
    if (layer.wrap === false) tabbed.segments = wholeSegment(tabbed);
    return tabbed;
  });
}

/** Joins the segments into one, so that there is no position for a break. */
function wholeSegment({ segments }: Paragraph): Segment[] {
  const last = segments.at(-1);
  return last === undefined ? [] : [{ ...last, start: 0, hyphen: false }];
}
