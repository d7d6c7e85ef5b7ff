/** Finds the factor by which the texts of a stack shrink together. */
import type { StackLayer } from '#language/schema/layers.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { MeasureContext } from './measure-layer.ts';
import { fitsBox } from './measure-layer.ts';
import { arrangeStack } from './stack-layer.ts';
import { fontSizes } from './text-spans.ts';

/** Steps of the binary search, which finds a factor to a 64th of its range. */
const searchSteps = 6;

/**
 * Returns the largest factor at which all texts of the stack that shrink fit their boxes; 1 if texts shrink separately.
 * The smallest sizes of the texts bound the factor.
 */
export function sharedTextScale(
  stack: StackLayer,
  size: { width: number; height: number },
  context: MeasureContext,
): number {
  if (stack.shrink !== 'together' || textsFit(stack, size, context)) return 1;
  let low = Math.min(1, ...shrinkingTexts(stack).map(smallestScale));
  let high = 1;
  for (let step = 0; step < searchSteps; step += 1) {
    const middle = (low + high) / 2;
    if (textsFit(stack, size, { ...context, textScale: middle })) low = middle;
    else high = middle;
  }
  return low;
}

function* walkTexts(stack: StackLayer): Generator<TextLayer> {
  for (const layer of stack.layers) {
    if (layer.type === 'stack') yield* walkTexts(layer);
    if (layer.type === 'text') yield layer;
  }
}

function shrinkingTexts(stack: StackLayer): TextLayer[] {
  return [...walkTexts(stack)].filter(({ overflow = 'shrink' }) => overflow === 'shrink');
}

function smallestScale(layer: TextLayer): number {
  const { fontSize, smallest } = fontSizes(layer);
  return smallest / fontSize;
}

function textsFit(
  stack: StackLayer,
  { width, height }: { width: number; height: number },
  context: MeasureContext,
): boolean {
  const { boxes } = arrangeStack(stack, width, height, context);
  return stack.layers.every((layer, index) => {
    const box = boxes[index];
    if (box === undefined) return true;
    if (layer.type === 'stack') return textsFit(layer, box, context);
    const shrinks = layer.type === 'text' && (layer.overflow ?? 'shrink') === 'shrink';
    return !shrinks || fitsBox(layer, box, context);
  });
}
