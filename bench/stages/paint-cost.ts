/**
 * Compares the coefficients of the paint cost model with the CPU time of real work: `node bench/stages/paint-cost.ts`.
 */
import { layoutScene } from '../../workers/layout/layout.ts';
import { paint } from '../../workers/paint/paint.ts';
import * as unit from '../../workers/paint/cost/units.ts';
import type { Scene } from '../../workers/bind-scene.ts';
import type { DisplayList } from '../../workers/display-list.ts';

const sidePx = 2000;
const rounds = 3;
const pixels = sidePx * sidePx;
const box = { id: 'layer', x: 0, y: 0, width: sidePx, height: sidePx };

function processorUs(list: DisplayList, scale: number): number {
  const before = process.cpuUsage();
  paint(list, new Map(), scale);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The minimum of some rounds: other work on the machine only adds time. */
function measureUs(layers: readonly object[], times = rounds): number {
  const scene: Scene = {
    width: sidePx,
    height: sidePx,
    lang: 'en',
    fonts: [],
    missingGlyph: 'box',
    organizationFamilies: new Map(),
    background: undefined,
    layers: layers as Scene['layers'],
    warnings: [],
  };
  const { displayList } = layoutScene(scene, new Map());
  return Math.min(...Array.from({ length: times }, () => processorUs(displayList, 1)));
}

const emptyUs = measureUs([]);
const rect = { ...box, type: 'rect', fill: '#1234' };
let gradients = 0;
/** Each is different, because large gradients are cached. */
const gradient = (kind: string): object => ({
  gradient: kind,
  stops: [
    { offset: (gradients += 0.001), color: '#f00' },
    { offset: 1, color: '#00f8' },
  ],
});
const zigzag = (segments: number): string =>
  `M0 0${Array.from({ length: segments }, (_, index) => `L${(index * 7919) % sidePx} ${(index * 104_729) % sidePx}`).join('')}Z`;
const solidUs = measureUs([rect]) - emptyUs;

/** Nanoseconds of a pixel of a rectangle as large as the canvas, beyond those of its solid fill. */
function pixelExtraNs(more: object): number {
  return ((measureUs([{ ...rect, ...more }]) - emptyUs - solidUs) / pixels) * 1000;
}

function print(name: string, measured: number, coefficient: number, unitName = 'ns'): void {
  const ratio = (measured / coefficient).toFixed(2);
  console.log(
    `${name.padEnd(32)} measured ${measured.toFixed(1)} ${unitName}, model ${coefficient.toFixed(1)}, ratio ${ratio}`,
  );
}

print('canvas, a pixel', (emptyUs / pixels) * 1000, unit.pixelNs.canvas);
print('solid fill', (solidUs / pixels) * 1000, unit.pixelNs.solid);
for (const kind of ['linear', 'radial', 'conic']) {
  for (const [name, type, model] of [
    ['drawn', 'ellipse', unit.pixelNs.gradient],
    ['kept as pixels', 'rect', unit.pixelNs.gradient + unit.pixelNs.laidGradient],
  ] as const) {
    const drawn = Array.from({ length: rounds }, () => ({ ...rect, type, fill: gradient(kind) }));
    const ns = (measureUs(drawn, 1) - emptyUs) / rounds / (pixels / 1000);
    print(`${kind} gradient, ${name}`, ns, model + unit.pixelNs.gradientFade);
  }
}
for (const [mode, ns] of [['multiply', unit.plainBlendNs] as const, ...unit.expensiveBlendNs]) {
  if (mode !== 'normal') print(`blend mode ${mode}`, pixelExtraNs({ blendMode: mode }), ns);
}
const { filterBase, filterFunction, buffer, sharpShadow } = unit.pixelNs;
print(
  'filter, one function',
  pixelExtraNs({ filter: { sepia: 1 } }),
  buffer + filterBase + filterFunction,
);
for (const deviationPx of [0.5, 1, 1.9, 2, 30, 64, 128, 200, 400]) {
  // The effect extends so far beyond the canvas, and its buffers with it.
  const grown = (1 + (6 * Math.min(deviationPx, 200)) / sidePx) ** 2;
  if (deviationPx <= 200) {
    const blurNs = (buffer + unit.blurPixelNs(deviationPx)) * grown;
    print(`blur of deviation ${deviationPx}`, pixelExtraNs({ blur: deviationPx }), blurNs);
  }
  if (deviationPx > 100) continue;
  const shadowNs = (2 * buffer + sharpShadow + unit.blurPixelNs(deviationPx)) * grown;
  const shadow = { color: '#000', blur: deviationPx * 2 };
  print(`shadow of deviation ${deviationPx}`, pixelExtraNs({ shadow }), shadowNs);
}
for (const segments of [100, 400, 1000]) {
  const us = measureUs([{ ...box, type: 'path', path: zigzag(segments), fill: '#123' }]) - emptyUs;
  const edges = (segments * sidePx) / 2;
  const edgeNs = unit.edgeRowNs + unit.edgePairNs * (segments / 2);
  print(`an edge in a row, ${segments} lines`, (us * 1000) / edges, edgeNs);
}
