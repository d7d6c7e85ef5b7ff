/** Names a render: equal keys are equal pictures, and from a key comes the entity tag. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { RenderOptions } from './request.ts';
import type { ResolvedValues } from './values.ts';

const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string;
};

/** Raised whenever the workers draw the same job differently within one package version. */
const drawingRevision = 8;

const engine = `${version}-${drawingRevision}`;

/**
 * The key of a render: SHA-256, 64 hexadecimal digits, over the engine, the document with its
 * organization, the options and every variable's resolved value in the template's order. Values are
 * written as JSON, so that no two lists of values read alike; unknown parameters and their order have no
 * part in it, and a value equal to its default is the same as an omitted one.
 */
export function renderKey(
  template: PublishedTemplate,
  options: RenderOptions,
  values: ResolvedValues,
): string {
  const { format, quality, scale } = options;
  const canonical = [engine, template.templateKey, format, quality, scale, [...values]];
  return hash('sha256', JSON.stringify(canonical), 'hex');
}

/**
 * The entity tag of a render, with its quotes: from the key alone when nothing remote is drawn, else from
 * the key and the digests of the remote images in drawing order. Weak (RFC 9110, 8.8.1), because a process
 * with a base render encodes the same pixels in other bytes than one without.
 */
export function renderETag(key: string, remoteDigests: readonly string[]): string {
  const source = [key, ...remoteDigests].join('\n');
  // 128 bits: collisions are out of reach, and the header stays short.
  return `W/"${hash('sha256', source, 'base64url').slice(0, 22)}"`;
}
