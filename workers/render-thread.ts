/** A thread of a render host, which renders the jobs that Piscina gives it. */
import { getHeapStatistics } from 'node:v8';
import { drawablesBytes } from './assets/drawable-cache.ts';
import { render } from './render.ts';
import { serveTasks } from './serve-tasks.ts';
import { partBytes } from './shared/parts.ts';

export const renderTask = serveTasks(render, () => ({
  heapBytes: getHeapStatistics().total_heap_size,
  baseRendersBytes: partBytes('base'),
  drawablesBytes: drawablesBytes(),
}));
