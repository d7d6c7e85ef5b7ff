/** `/v1/fonts`: lists the families that templates may name, takes an organization's own fonts and deletes them. */
import type { BundledFamily } from '#wire/font-facts.ts';
import { AppError } from '../foundation/errors.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import type { Exchange } from '../http/exchange.ts';
import { firstValue, parseQuery } from '../http/query.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { FontInspector } from '../scheduling/font-inspector.ts';
import type { FontStore, StoredFont } from '../store/assets/font-store.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import { uploadBytesMax } from './assets.ts';
import { badBody } from './request/input.ts';

/** What the endpoints of fonts need. */
export interface FontService {
  organizations: Pick<OrganizationStore, 'findByKey'>;
  fonts: FontStore;
  inspector: FontInspector;
}

/** A name that stands in a template as it is, and in no need of quoting anywhere. */
const familyPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'&+()-]{0,99}$/u;

const idPattern = /^(?:font(?::|%3A))?([0-9a-f]{64})$/i;

/**
 * `GET` 200 with `{families}`, bundled ones and the organization's own. `POST`, a TTF, OTF or WOFF2 file, with
 * `?family=` for another name than its own: 201 with the font; 400 for a file that is damaged or a name that cannot be, 409
 * for a name that is bundled or a weight that is there, 413 for one too large or over the quota, 415 for another kind
 * of file. `DELETE /v1/fonts/{id}` 204; 404 for another organization's, 409 while a template names its family.
 */
export function fontRoutes(service: FontService): Route[] {
  const { organizations, fonts, inspector } = service;
  return [
    {
      name: 'fonts',
      path: '/v1/fonts',
      errorShape: 'organization',
      bodyBytesMax: uploadBytesMax,
      async get(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'read');
        const bundled = await inspector.bundledFamilies();
        const families = [...ownFamilies(fonts.listFonts(uid)), ...bundled.map(toBundled)];
        return jsonReply(200, { families });
      },
      post(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'write');
        return saveFont(service, uid, exchange);
      },
    },
    {
      name: 'font',
      path: '/v1/fonts/:id',
      errorShape: 'organization',
      async delete(exchange) {
        const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const digest = idPattern.exec(exchange.parameter)?.[1]?.toLowerCase();
        const isDeleted =
          digest !== undefined && (await whenFree(() => fonts.deleteFont(uid, `font:${digest}`)));
        if (!isDeleted) {
          throw new AppError('NOT_FOUND', 'Font not found', { reason: 'font' });
        }
        return emptyReply(204);
      },
    },
  ];
}

async function saveFont(
  { fonts, inspector }: FontService,
  organizationUid: string,
  exchange: Exchange,
): Promise<Reply> {
  const wanted = firstValue(parseQuery(exchange.query), 'family')?.trim();
  const body = await exchange.readBody();
  if (body.length === 0) {
    const message = 'is empty, expected a TTF, OTF or WOFF2 file';
    throw badBody([{ path: '(document)', message }], 'body');
  }
  const verdict = await inspector.inspect(organizationUid, body);
  if (!verdict.ok) {
    const isOther = verdict.problem.startsWith('is no ');
    const code = isOther ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST';
    throw new AppError(code, `The font ${verdict.problem}.`, { reason: 'font' });
  }
  const { facts, file } = verdict;
  const family = (wanted === undefined || wanted === '' ? facts.family : wanted).normalize('NFC');
  checkFamily(family, await inspector.bundledFamilies());
  const id = await whenFree(() => fonts.saveFont(organizationUid, family, file, facts));
  const font = fonts.findFont(organizationUid, id);
  return jsonReply(201, font && toFont(font));
}

/** Under a bundled family's name the same template would look different in each organization. */
function checkFamily(family: string, bundled: readonly BundledFamily[]): void {
  if (!familyPattern.test(family)) {
    throw new AppError(
      'BAD_REQUEST',
      `The family name ${JSON.stringify(family.slice(0, 100))} cannot be used: give another one with ?family=, of up to 100 letters, digits, spaces and .-_'&+().`,
      { reason: 'family' },
    );
  }
  if (bundled.some((known) => known.family.toLowerCase() === family.toLowerCase())) {
    throw new AppError(
      'CONFLICT',
      `The family "${family}" is bundled with the service: name your own another way with ?family=.`,
      { reason: 'family' },
    );
  }
}

function toBundled({ family, styles, axes, scripts }: BundledFamily): Record<string, unknown> {
  return { family, source: 'bundled', weights: weightsOf(styles), styles, axes, scripts };
}

function ownFamilies(fonts: readonly StoredFont[]): Record<string, unknown>[] {
  const families = Map.groupBy(fonts, ({ family }) => family.toLowerCase());
  return Array.from(families.values(), (files) => {
    const [first] = files;
    const styles = files.map(({ weight, italic }) => ({ weight, italic }));
    return {
      family: first?.family,
      source: 'own',
      weights: weightsOf(styles),
      styles,
      axes: first?.facts.axes,
      scripts: first?.facts.scripts,
      fonts: files.map(toFont),
    };
  });
}

function weightsOf(styles: readonly { weight: number }[]): number[] {
  return [...new Set(styles.map(({ weight }) => weight))].toSorted((a, b) => a - b);
}

function toFont({ id, family, facts, sizeBytes, created_at }: StoredFont): Record<string, unknown> {
  const { family: _own, ...rest } = facts;
  return { id, family, ...rest, bytes: sizeBytes, created_at };
}
