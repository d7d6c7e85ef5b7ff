/** Memory figures of this render process, for the metrics of the service. */
import { getHeapStatistics } from 'node:v8';
import type { ProcessFigures } from '#wire/render-wire.ts';
import { drawablesBytes } from './assets/drawable-cache.ts';
import { baseRendersBytes } from './incremental/base-render-cache.ts';

export function processFigures(): ProcessFigures {
  return {
    heapBytes: getHeapStatistics().total_heap_size,
    baseRendersBytes: baseRendersBytes(),
    drawablesBytes: drawablesBytes(),
  };
}
