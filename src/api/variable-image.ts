/** `GET /v1/templates/{uid}/images/{digest}`: the default of an image variable, for whoever was given its address. */
import { AppError } from '../foundation/errors.ts';
import { matchesETag } from '../http/reply.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { AssetStore } from '../store/assets/asset-store.ts';
import type { PublishedVariable } from '../store/template-details.ts';
import type { TemplateStore } from '../store/template-store.ts';

const assetPattern = /^asset:([0-9a-f]{64})$/;
const digestPattern = /^[0-9a-f]{64}$/;

/** A variable as the API tells it; an image has an address that opens without a key, or null where it has no default. */
export type PreviewedVariable = PublishedVariable & { preview_url?: string | null };

/** Adds `preview_url` to the image variables of a template. `base` is the service's address, without a slash at its end. */
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
  // Addresses and data URLs open by themselves.
  return value === '' ? null : value;
}

/** What the endpoint needs. */
export interface VariableImageService {
  templates: Pick<TemplateStore, 'findPublished'>;
  assets: Pick<AssetStore, 'findFile'>;
}

/**
 * 200 with the file, 304, or 404. The digest in the address is the permission: 256 bits that only the organization's
 * answers tell. It opens nothing but a default of the published version, and no longer than that version is published.
 */
export function variableImageRoute({ templates, assets }: VariableImageService): Route {
  return {
    name: 'variable-image',
    path: '/v1/templates/:uid/images/:digest',
    errorShape: 'organization',
    get: (exchange) => {
      const [uid = '', digest = ''] = exchange.parameters;
      const template = digestPattern.test(digest) ? templates.findPublished(uid) : undefined;
      const id = `asset:${digest}`;
      const isDefault = template?.document.variables.some(
        ({ type, value }) => type === 'image' && value === id,
      );
      const file =
        isDefault === true ? assets.findFile(template?.organizationUid ?? '', id) : undefined;
      if (file === undefined)
        throw new AppError('NOT_FOUND', 'Image not found', { reason: 'asset' });
      return imageReply(exchange, digest, file);
    },
  };
}

/** Pages of any origin may show it; an SVG runs nothing, also when it is opened by itself. */
const headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Access-Control-Allow-Origin', '*'],
  ['X-Robots-Tag', 'noindex'],
  ['Cache-Control', 'public, max-age=300'],
].flat();

function imageReply(
  { ifNoneMatch }: Exchange,
  digest: string,
  { bytes, type }: { bytes: Buffer; type: string },
): Reply {
  const etag = `W/"${digest}"`;
  const shared = [...headers, 'ETag', etag];
  if (matchesETag(ifNoneMatch, etag)) return { status: 304, headers: shared };
  return { status: 200, headers: ['Content-Type', type, ...shared], body: bytes };
}
