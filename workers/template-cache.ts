/** Keeps parsed templates, so that a worker parses each document once. */
import { LRUCache } from 'lru-cache';
import type { Template } from '#shared/template-schema.ts';

/** Documents are at most 256 KiB; 64 MiB of text are some 250 of the largest or 30,000 usual ones. */
const cachedBytesMax = 64 * 1024 * 1024;

const templates = new LRUCache<string, Template>({ max: 10_000, maxSize: cachedBytesMax });

/** The template of a job. Its document was validated when it was saved. */
export function parseTemplate(templateKey: string, templateJson: string): Template {
  const known = templates.get(templateKey);
  if (known !== undefined) return known;
  const template = JSON.parse(templateJson) as Template;
  templates.set(templateKey, template, { size: templateJson.length + templateKey.length });
  return template;
}
