/** Splits a text layer into paragraphs that follow the layer's rules for lines. */
import type { TextLayer } from '#language/schema/text.ts';
import type { Scene } from '../bind-scene.ts';
import { plainSample } from '../text/lines/metrics.ts';
import type { Paragraph, Segment } from '../text/paragraphs.ts';
import { splitParagraphs } from '../text/paragraphs.ts';
import type { StyledText } from '../text/style.ts';
import { withTabs } from '../text/tabbed-paragraph.ts';

/** The paragraphs of a text, by the layer's rules for lines. */
export function paragraphsOf(
  layer: TextLayer,
  spans: readonly StyledText[],
  scene: Scene,
): Paragraph[] {
  // A path has no columns.
  const stops = layer.path === undefined ? (layer.tabStops ?? []) : [];
  const keepsTabs = stops.length > 0;
  const split = splitParagraphs(spans, scene.lang, layer, keepsTabs);
  return split.map((paragraph, index) => {
    const own = keepsTabs ? { ...withTabs(paragraph, stops) } : { ...paragraph };
    if (index > 0) own.spaceAbove = layer.paragraphSpacing ?? 0;
    // As if no letter were higher or lower than those.
    if (layer.firstBaseline === 'font') own.sample = own.highSample = plainSample;
    if (layer.wrap === false) own.segments = wholeSegment(own);
    return own;
  });
}

/** One segment has no position for a break. */
function wholeSegment({ segments }: Paragraph): Segment[] {
  const last = segments.at(-1);
  return last === undefined ? [] : [{ ...last, start: 0, hyphen: false }];
}
