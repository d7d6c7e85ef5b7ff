/** Keeps generated documents within the length that the API accepts. */
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Values } from './parts.ts';

const { documentBytesMax } = templateLimits;

/** Whether a document is as long as one may be at most. */
export function fits(document: Values): boolean {
  return bytesOf(document) <= documentBytesMax;
}

function bytesOf(values: Values): number {
  return Buffer.byteLength(JSON.stringify(values));
}

/** The document that `build` makes of these layers, or of as many of the first ones as a document may have. */
export function fitting(layers: readonly Values[], build: (layers: Values[]) => Values): Values {
  for (let bytesMax = documentBytesMax; ; bytesMax *= 0.9) {
    const document = build(firstLayers(layers, bytesMax));
    if (fits(document)) return document;
  }
}

/** The first layers of at most so many bytes in all. The last one may have lost some of those in it. */
function firstLayers(layers: readonly Values[], bytesMax: number): Values[] {
  const first: Values[] = [];
  let left = bytesMax;
  for (const layer of layers) {
    left -= bytesOf(layer);
    if (left < 0) {
      const inner = layer['layers'] as Values[] | undefined;
      const leftInside = left + bytesOf({ layers: inner ?? [] });
      if (inner !== undefined && leftInside > 0)
        first.push({ ...layer, layers: firstLayers(inner, leftInside) });
      break;
    }
    first.push(layer);
  }
  return first;
}
