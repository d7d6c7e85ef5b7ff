/** Keeps facts of a text layout for reports together with its content, so that no text is laid out twice. */
import type { DisplayContent } from '../display-list.ts';

interface TextFacts {
  /** Font size after shrinking, design pixels. */
  fontSize: number;
  lineTexts: string[];
  text: string;
}

const known = new WeakMap<DisplayContent, TextFacts>();

/** Returns the layout, and keeps its facts as long as its content. */
export function withTextFacts<Layout extends TextFacts & { content: DisplayContent }>(
  layout: Layout,
): Layout {
  const { content, fontSize, lineTexts, text } = layout;
  known.set(content, { fontSize, lineTexts, text });
  return layout;
}

/** Returns the facts of a content; undefined for a copy of a content. */
export function textFactsOf(content: DisplayContent): TextFacts | undefined {
  return known.get(content);
}
