/** Tab stops: a tab moves the field after it, the text up to the next tab, to the next stop of the layer. */
import type { TextLayer } from '#language/schema/text.ts';

export type TabStop = NonNullable<TextLayer['tabStops']>[number];

/** The stops of a paragraph. Lengths are design pixels at size ratio 1. */
export interface Tabs {
  /** With their distances from the edge at which the lines start; `tabsWithin` sorts them. */
  stops: readonly TabStop[];
  /** Font size at the paragraph's start. */
  em: number;
  isRightToLeft: boolean;
}

/** Minimum space before a field in em, as wide as a space between words. */
const gapEm = 0.25;

/**
 * Returns the paragraph for lines of at most `width` design pixels, which bounds `end` stops. Sorts the stops as they are
 * written: if a bounded stop passed another one, a narrower box could fit what a wider one does not.
 */
export function tabsWithin<Tabbed extends { tabs: Tabs | undefined }>(
  paragraph: Tabbed,
  width: number,
): Tabbed {
  const { tabs } = paragraph;
  if (tabs === undefined) return paragraph;
  const stops = tabs.stops
    .toSorted((a, b) => a.at - b.at)
    .map((stop) => (stop.align === 'end' ? { ...stop, at: Math.min(stop.at, width) } : stop));
  return { ...paragraph, tabs: { ...tabs, stops } };
}

/** Returns the paragraph for text at a size ratio: letters shrink, but stops keep their positions. */
export function tabsAtRatio<Tabbed extends { tabs: Tabs | undefined }>(
  paragraph: Tabbed,
  ratio: number,
): Tabbed {
  const { tabs } = paragraph;
  if (tabs === undefined || ratio === 1) return paragraph;
  const stops = tabs.stops.map((stop) => ({ ...stop, at: stop.at / ratio }));
  return { ...paragraph, tabs: { ...tabs, stops } };
}

/**
 * Returns the distance of a field from the start of its line. `pen` is the distance of the tab before the field. After
 * the last stop, a tab is as wide as the font size.
 */
export function fieldStart(tabs: Tabs, pen: number, width: number): number {
  const stop = tabs.stops.find(({ at }) => at >= pen + gapEm * tabs.em);
  return stop === undefined ? pen + tabs.em : startAt(stop, tabs, pen, width);
}

function startAt(
  { at, align = 'start' }: TabStop,
  { em }: Tabs,
  pen: number,
  width: number,
): number {
  const before = { start: 0, center: width / 2, end: width }[align];
  return Math.max(pen + gapEm * em, at - before);
}

/**
 * Returns the width of a part of a line from `start` to `end`, by the `positions` of its characters. A field ends at
 * its stop or after it, so that the loop ends with the last stop.
 */
export function tabbedWidth(
  tabs: Tabs,
  text: string,
  positions: Float64Array,
  start: number,
  end: number,
): number {
  const { stops, em } = tabs;
  const between = (from: number, to: number): number =>
    (positions[to] ?? 0) - (positions[from] ?? 0);
  const nextTab = (from: number): number => {
    const tab = text.indexOf('\t', from);
    return tab === -1 || tab > end ? end : tab;
  };
  let tab = nextTab(start);
  let pen = between(start, tab);
  for (const stop of stops) {
    if (tab >= end) break;
    if (stop.at < pen + gapEm * em) continue;
    const next = nextTab(tab + 1);
    const width = between(tab + 1, next);
    pen = startAt(stop, tabs, pen, width) + width;
    tab = next;
  }
  return pen + between(tab, end);
}
