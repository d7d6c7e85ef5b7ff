import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  assumed,
  coresOfProcess,
  dayFigures,
  fleetFigures,
  fullestOf,
  measured,
  nodeFigures,
  scalingTables,
} from '../../bench/scaling-model.ts';

t.test('the page on scaling has the tables of the model', async (t) => {
  // The page aligns its columns.
  const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  const page = plain(readFileSync(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8'));
  for (const table of scalingTables()) {
    t.ok(page.includes(plain(table)), `node bench/scaling-model.ts prints:\n${table}`);
  }
});

t.test('cores count until the thread that answers is full', async (t) => {
  const small = nodeFigures(coresOfProcess);
  t.equal(small.processes, 1);
  t.equal(small.imagesPerSecond, small.oneProcessPerSecond);
  const large = nodeFigures(4 * coresOfProcess);
  t.equal(large.processes, 4);
  t.ok(Math.abs(large.imagesPerSecond - 4 * small.imagesPerSecond) < 1e-6);
  const full = (1000 * assumed.load) / measured.newImageMainMs;
  t.equal(large.oneProcessPerSecond, full, 'more render hosts do not help it');
});

t.test('a fleet has a reserve of one node, and its ring is nearly even', async (t) => {
  t.equal(fullestOf(1), 1);
  t.ok(fullestOf(64) < 1.15, `fullest of 64: ${fullestOf(64)}`);
  const three = fleetFigures(3, 16);
  t.ok(three.imagesPerSecond <= 2 * nodeFigures(16).imagesPerSecond);
  const day = dayFigures(1e9);
  t.ok(fleetFigures(day.nodes, 16).imagesPerSecond >= day.peakPerSecond);
  t.ok(fleetFigures(day.nodes - 1, 16).imagesPerSecond < day.peakPerSecond, 'and no node more');
});
