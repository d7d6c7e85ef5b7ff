/** Caches parsed templates, so that a render process parses each document once. */
import { LRUCache } from 'lru-cache';
import type { Template } from '#language/schema/template.ts';
import { compactBytes } from './heap-bytes.ts';

/** Part of the 256 MiB heap of a thread: some 3000 usual documents, of 2 KB of text. */
const cachedBytesMax = 32 * 1024 * 1024;

const templates = new LRUCache<string, Template>({ max: 10_000, maxSize: cachedBytesMax });

/** Returns the template of a job. Its document was validated when it was saved. */
export function parseTemplate(templateKey: string, templateJson: string): Template {
  const known = templates.get(templateKey);
  if (known !== undefined) return known;
  const template = JSON.parse(templateJson) as Template;
  templates.set(templateKey, template, { size: compactBytes([templateKey, template]) });
  return template;
}
