/** The features of SVG that the table of `docs/svg-support.md` has, and their drawings. */
import { effectFeatures } from './effects.ts';
import { paintFeatures } from './paints.ts';
import type { SvgFeature } from './parts.ts';
import { shapeFeatures } from './shapes.ts';
import { textFeatures } from './texts.ts';

export const svgFeatures: readonly SvgFeature[] = [
  ...shapeFeatures,
  ...paintFeatures,
  ...effectFeatures,
  ...textFeatures,
];

/** Size of a drawing. */
export const featureSize = { width: 96, height: 64 } as const;

export function featureFile([, , content, root = '']: SvgFeature): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="96" height="64" viewBox="0 0 96 64" ${root}>${content}</svg>`,
  );
}
