/** What a report says of a text beside what is painted. It is kept with the content, so that no text is laid out twice. */
import type { DisplayContent } from '../display-list.ts';

interface TextFacts {
  /** Font size after shrinking, design pixels. */
  fontSize: number;
  lineTexts: string[];
  text: string;
}

const known = new WeakMap<DisplayContent, TextFacts>();

/** The layout, whose facts are kept as long as its content. */
export function withTextFacts<Layout extends TextFacts & { content: DisplayContent }>(
  layout: Layout,
): Layout {
  const { content, fontSize, lineTexts, text } = layout;
  known.set(content, { fontSize, lineTexts, text });
  return layout;
}

/** What is known of a content; undefined for a copy of one. */
export function textFactsOf(content: DisplayContent): TextFacts | undefined {
  return known.get(content);
}
