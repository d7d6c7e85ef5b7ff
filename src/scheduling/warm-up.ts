/** Jobs that render processes run before the first request: code on its first run takes up to ten times as long. */
import type { RenderFormat, RenderJob } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { Deadline } from '../foundation/deadline.ts';
import type { RenderPool } from './pool.ts';

const smallTemplate: Template = {
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

/** The first job of each process, which is ready after it: small, but with every stage. */
export const warmUpJob: RenderJob = {
  templateKey: 'warm-up',
  templateJson: JSON.stringify(smallTemplate),
  values: new Map(),
  images: [],
  format: 'jpeg',
  quality: 85,
  scale: 1,
};

/** The families and weights that templates use most: a typeface takes some 10 ms until its first glyphs are drawn. */
const faces = [
  { fontFamily: 'Inter', fontWeight: 400 },
  { fontFamily: 'Inter', fontWeight: 700 },
  { fontFamily: 'Fraunces', fontWeight: 600 },
  { fontFamily: 'Space Grotesk', fontWeight: 700 },
  { fontFamily: 'Space Mono', fontWeight: 700 },
];

/** Texts, codes and shapes with clips, shadows, dashes and overlaps. */
const mixedTemplate: Template = {
  format: 1,
  name: 'warm-up-mixed',
  width: 600,
  height: 320,
  background: '#ffffff',
  variables: [
    { name: 'name', type: 'text', value: 'Alex' },
    // Validating a value loads the validator.
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

const mixedJson = JSON.stringify(mixedTemplate);

/** Returns a job with the most common features of templates. Its base render is made and kept. */
export function mixedJob(format: RenderFormat, name: string): RenderJob {
  return {
    templateKey: 'warm-up-mixed',
    templateJson: mixedJson,
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
 * Makes each of the `threads` render the most common features, in both formats that have base renders, unless jobs of
 * clients wait. Rejects as `RenderPool.run` does.
 */
export async function warmUp(
  pool: Pick<RenderPool, 'run' | 'queueLength'>,
  threads: number,
  deadline: Deadline,
): Promise<void> {
  for (const format of ['png', 'jpeg'] as const) {
    if (pool.queueLength > 0) return;
    const job = mixedJob(format, 'reader');
    await Promise.all(Array.from({ length: threads }, () => pool.run(job, deadline)));
  }
}
