/** `GET /v1/templates/{uid}/images/{digest}`: the default of an image variable, for clients that know its address. */
import { inShortTurn } from '../foundation/deadline.ts';
import { AppError } from '../foundation/errors.ts';
import { matchesETag } from '../http/reply.ts';
import type { AssetStore } from '../store/assets/asset-store.ts';
import type { PublishedVariable } from '../store/template-details.ts';
import type { TemplateStore } from '../store/template-store.ts';
import { pathParameter, uidParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';

const assetPattern = /^asset:([0-9a-f]{64})$/;
const digestPattern = /^[0-9a-f]{64}$/;

/** A variable in a response. An image variable has an address that opens without a key, or null without a default. */
export type PreviewedVariable = PublishedVariable & { preview_url?: string | null };

/** Adds `preview_url` to the image variables of a template. `base` is the service's address, without a final slash. */
export function withPreviewUrls(
  variables: readonly PublishedVariable[],
  uid: string,
  base: string,
): PreviewedVariable[] {
  return variables.map((variable) =>
    variable.type === 'image'
      ? { ...variable, preview_url: previewUrl(variable.value, uid, base) }
      : variable,
  );
}

function previewUrl(value: string, uid: string, base: string): string | null {
  const digest = assetPattern.exec(value)?.[1];
  if (digest !== undefined) return `${base}/v1/templates/${uid}/images/${digest}`;
  // Other values are addresses or data URLs, which clients open directly.
  return value === '' ? null : value;
}

/** Stores that the endpoint needs. */
export interface VariableImageParts {
  templates: Pick<TemplateStore, 'findPublished'>;
  assets: Pick<AssetStore, 'findFile'>;
}

/**
 * The digest in the address is the permission: only answers to the organization contain its 256 bits. The address opens
 * only a default of the published version, and only while that version is published.
 */
export const variableImage = endpoint(
  {
    tag: 'Service',
    errorShape: 'organization',
    id: 'variableImage',
    route: 'variable-image',
    method: 'get',
    path: '/v1/templates/{uid}/images/{digest}',
    summary: 'Default of an image variable',
    description:
      'The file behind a `preview_url` in the details of a template. The digest is the permission: it opens only a default of the published version.',
    pathParameters: {
      uid: uidParameter,
      digest: pathParameter(
        'SHA-256 of the file.',
        '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      ),
    },
    answers: {
      200: {
        description: 'Default of an image variable',
        content: { 'image/png': { schema: { type: 'string' } } },
      },
      304: { description: 'The caller has this file.' },
    },
    errors: { 404: 'The published version has no such default.' },
  },
  ({ templates, assets }: VariableImageParts) =>
    async (exchange) => {
      const [uid = '', digest = ''] = exchange.parameters;
      const template = digestPattern.test(digest) ? templates.findPublished(uid) : undefined;
      const id = `asset:${digest}`;
      const isDefault = template?.document.variables.some(
        ({ type, value }) => type === 'image' && value === id,
      );
      const etag = `W/"${digest}"`;
      if (isDefault === true && matchesETag(exchange.ifNoneMatch, etag)) {
        return { status: 304, headers: [...headers, 'ETag', etag] };
      }
      // A HEAD reads the file too, although the client pays nothing for it.
      const file =
        isDefault === true
          ? await inShortTurn(() => assets.findFile(template?.organizationUid ?? '', id))
          : undefined;
      if (file === undefined)
        throw new AppError('NOT_FOUND', 'Image not found', { reason: 'asset' });
      const { bytes: body, type } = file;
      return { status: 200, headers: ['Content-Type', type, ...headers, 'ETag', etag], body };
    },
);

/** Pages of any origin may show the image. An SVG that is opened directly runs no script. */
const headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Access-Control-Allow-Origin', '*'],
  ['X-Robots-Tag', 'noindex'],
  ['Cache-Control', 'public, max-age=300'],
].flat();
