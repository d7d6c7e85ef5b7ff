/** Measures text with the paint engine. Only this module and `measure.ts` of the text modules use skia-canvas. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { CanvasRenderingContext2D, TextMetrics } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import { fontGeneration } from '../assets/organization-fonts.ts';
import { joiner } from './joining.ts';
import type { FontFace } from './style.ts';
import { fontAt } from './style.ts';

/**
 * Font size of every measurement, px. Advances are not hinted, so widths at any other size follow by
 * multiplication: measured at 10, 20, 40, 80 and 160 px they agree to 5 in 100,000.
 */
export const referenceSize = 100;

const graphemeFamilies = new LRUCache<string, string>(entryLimit(20_000));
/** A context takes 9 KB. */
const contexts = new LRUCache<string, CanvasRenderingContext2D>({ max: 100 });
/** Generation of the organizations' fonts in the contexts. */
let contextsGeneration = fontGeneration();
let nativeCalls = 0;

/** Returns the number of engine calls of the process: a measure of layout work without the noise of a clock. */
export function measurementCount(): number {
  return nativeCalls;
}

/** Measures a text at `referenceSize`, in these families of the face. */
export function measureText(
  face: FontFace,
  text: string,
  families: readonly string[] = face.families,
): TextMetrics {
  const context = engineContext(face, families);
  // A joiner at an end joins right-to-left letters only in a right-to-left text.
  if (!text.includes(joiner)) return context.measureText(text);
  context.direction = 'rtl';
  const measured = context.measureText(text);
  context.direction = 'ltr';
  return measured;
}

/**
 * Returns a context for one call that shapes text in these families of the face. Each list of families has a context:
 * setting a font takes as long as a measurement, and 10 ms for all families of a face the first time.
 */
export function engineContext(
  face: FontFace,
  families: readonly string[],
): CanvasRenderingContext2D {
  nativeCalls += 1;
  if (contextsGeneration !== fontGeneration()) {
    contexts.clear();
    contextsGeneration = fontGeneration();
  }
  const key = families === face.families ? face.key : `${face.key}\n${families.join()}`;
  const known = contexts.get(key);
  if (known !== undefined) return known;
  const context = new Canvas(1, 1).getContext('2d');
  context.font = fontAt(face, referenceSize, families);
  context.fontFeatureSettings = face.features;
  context.fontVariationSettings = face.variations;
  context.letterSpacing = `${face.letterSpacingEm * referenceSize}px`;
  contexts.set(key, context);
  return context;
}

/** Returns the family in which the engine draws a grapheme; empty if it draws nothing. */
export function familyOf(face: FontFace, grapheme: string): string {
  const key = `${face.key}\n${grapheme}`;
  const known = graphemeFamilies.get(key);
  if (known !== undefined) return known;
  const runs = measureText(face, grapheme).lines.flatMap((line) => line.runs);
  const family = runs.at(0)?.family ?? '';
  graphemeFamilies.set(key, family);
  return family;
}
