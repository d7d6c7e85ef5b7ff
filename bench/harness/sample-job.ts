/** Makes jobs of a sample template as the service makes them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { loadSourceImage } from './source-image.ts';
import type { Sample } from './values.ts';

const folder = join(import.meta.dirname, '../../data/templates');

/** A document with its images, as a render host gets them. */
export interface JobDocument {
  template: Template;
  templateJson: string;
  templateKey: string;
  images: Map<string, SourceImage>;
}

/** Reads a sample; its images have the addresses of a published document. */
export function readSample(uid: Sample): JobDocument {
  const images = new Map<string, SourceImage>();
  const text = readFileSync(join(folder, `${uid}.json`), 'utf8').replaceAll(
    /"(\.\/pictures\/[^"]+)"/g,
    (_, path: string) => {
      const image = loadSourceImage(join(folder, path));
      images.set(`asset:${image.digest}`, image);
      return JSON.stringify(`asset:${image.digest}`);
    },
  );
  return toJobDocument(JSON.parse(text), images);
}

export function toJobDocument(template: Template, images: Map<string, SourceImage>): JobDocument {
  const templateJson = JSON.stringify(template);
  return { template, templateJson, templateKey: sha256(templateJson), images };
}

/** Returns a job with the defaults of the template, except for `changed`. */
export function toJob(
  { template, templateJson, templateKey, images }: JobDocument,
  changed: Readonly<Record<string, string>>,
  format: RenderJob['format'],
): RenderJob {
  const values = new Map(
    template.variables.map(
      (variable) => [variable.name, changed[variable.name] ?? defaultText(variable)] as const,
    ),
  );
  const { quality = 85 } = template.output ?? {};
  return { templateKey, templateJson, values, images: [...images], format, quality, scale: 1 };
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
