/** The first job of each thread: small, but through every stage, so that no reader waits for code and fonts. */
import type { RenderJob } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';

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
