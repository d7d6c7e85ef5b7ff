/** Warm-up: the first job of each process, small but through every stage, and the rehearsal of what templates use most. */
import type { RenderJob, RenderFormat } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { Deadline } from '../foundation/deadline.ts';
import type { RenderPool } from './pool.ts';

const template: Template = {
  format: 1,
  name: 'warm-up',
  width: 64,
  height: 32,
  background: '#ffffff',
  variables: [],
  layers: [
    { id: 'text', type: 'text', x: 0, y: 0, width: 64, height: 32, text: 'Warm up', fontSize: 12 },
  ],
};

export const warmUpJob: RenderJob = {
  templateKey: 'warm-up',
  templateJson: JSON.stringify(template),
  values: new Map(),
  images: [],
  format: 'jpeg',
  quality: 85,
  scale: 1,
};

// Draws what templates are made of before a reader asks: code that never ran takes ten times as long.

/** Families and weights that templates use most: a face takes some 10 ms until its first letters are drawn. */
const faces = [
  { fontFamily: 'Inter', fontWeight: 400 },
  { fontFamily: 'Inter', fontWeight: 700 },
  { fontFamily: 'Fraunces', fontWeight: 600 },
  { fontFamily: 'Space Grotesk', fontWeight: 700 },
  { fontFamily: 'Space Mono', fontWeight: 700 },
];

/** Texts, codes and shapes, clipped, shaded, dashed and laid over one another. */
const rehearsalTemplate: Template = {
  format: 1,
  name: 'rehearsal',
  width: 600,
  height: 320,
  background: '#ffffff',
  variables: [
    { name: 'name', type: 'text', value: 'Alex' },
    // A value that is checked loads what checks it.
    { name: 'color', type: 'color', value: '#ff8800' },
  ],
  layers: [
    {
      id: 'group',
      type: 'group',
      x: 10,
      y: 10,
      width: 580,
      height: 300,
      cornerRadius: 20,
      layers: [
        {
          id: 'rect',
          type: 'rect',
          x: 0,
          y: 0,
          width: 400,
          height: 300,
          fill: {
            gradient: 'linear',
            angle: 90,
            stops: [
              { offset: 0, color: '#12061f' },
              { offset: 1, color: '#12061f26' },
            ],
          },
        },
        { id: 'ellipse', type: 'ellipse', x: 390, y: 40, width: 30, height: 30, fill: '{{color}}' },
        {
          id: 'line',
          type: 'line',
          x: 400,
          y: 20,
          width: 0,
          height: 260,
          stroke: { color: '#00000055', width: 3, dash: [2, 12], cap: 'round' },
        },
        { id: 'qr', type: 'qr', x: 430, y: 20, width: 130, height: 130, value: '{{name}}' },
        ...faces.map((face, index) => ({
          ...face,
          id: `text-${index}`,
          type: 'text' as const,
          x: 20,
          y: 20 + 50 * index,
          width: 300,
          height: 40,
          text: index === 0 ? 'For {{name}}' : 'First in line',
          fontSize: 24,
          letterSpacing: index,
          overflow: 'shrink' as const,
          minSize: 10,
          maxLines: 2,
        })),
      ],
    },
  ],
};

const templateJson = JSON.stringify(rehearsalTemplate);

/**
 * What each thread draws: as a plan and over one, in both formats that have plans, and whole. Names of many kinds, because
 * V8 lays objects out anew with the first text that must shrink (a size that is no whole number), be broken, or be
 * drawn from the right or in emoji, and then compiles all layout code once more: in a burst that took two seconds.
 */
const pictures: readonly [format: RenderFormat, name: string][] = [
  ['png', 'reader'],
  ['jpeg', 'reader'],
  ['png', 'Maria-Magdalena Wolfeschlegelsteinhausenbergerdorff of Neuschwanstein-Hohenzollern'],
  ['jpeg', 'Anne-Sophie von der Schulenburg-Wolfsburg, Countess of Hehlen and Beetzendorf'],
  ['jpeg', 'Zo\u{EB} \u{1F389}'],
  ['png', '\u{623}\u{645}\u{644}, A.'],
  ['webp', 'reader'],
];

/** One picture of a rehearsal, with a text of its own. */
export function rehearsalJob(format: RenderFormat, name: string): RenderJob {
  return {
    templateKey: 'rehearsal',
    templateJson,
    values: new Map([
      ['name', name],
      ['color', '#ff8800'],
    ]),
    images: [],
    format,
    quality: 85,
    scale: 1,
    makesBaseRender: true,
  };
}

/**
 * Has each of the `threads` draw each of the pictures, unless readers come meanwhile: they rehearse with their own.
 * Rejects as `RenderPool.run` does.
 */
export async function rehearse(
  pool: Pick<RenderPool, 'run' | 'queueLength'>,
  threads: number,
  deadline: Deadline,
): Promise<void> {
  for (const [format, name] of pictures) {
    if (pool.queueLength > 0) return;
    const job = rehearsalJob(format, name);
    await Promise.all(Array.from({ length: threads }, () => pool.run(job, deadline)));
  }
}
