/** Tells the paint engine which font to use. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type { FontSetting } from '../display-list.ts';

/** Sets everything about a run's font, so that nothing of the run before is left. */
export function applyFont(
  context: CanvasRenderingContext2D,
  font: FontSetting,
  direction: 'ltr' | 'rtl',
): void {
  context.font = font.css;
  context.fontFeatureSettings = font.features;
  context.fontVariationSettings = font.variations;
  context.letterSpacing = `${font.letterSpacing}px`;
  context.direction = direction;
}
