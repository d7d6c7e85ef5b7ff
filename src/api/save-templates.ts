/** `POST /v1/templates`, `PUT` and `DELETE /v1/templates/{uid}`, `…/restore`, `…/duplicate`: changes of drafts; and copies of samples. */
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { Exchange } from '../http/exchange.ts';
import { firstValue, parseQuery } from '../http/query.ts';
import { emptyReply, jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { SavedDraft, TemplateStore } from '../store/template-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import {
  documentETag,
  parseIfMatch,
  noTemplate,
  requireOwnTemplate,
} from './request/organization-template.ts';
import { badBody, createBodyReader, readJson, smallBodyBytesMax } from './request/input.ts';
import { EmptyRequest } from './schemas/keys.ts';
import { DuplicateRequest } from './schemas/templates.ts';
import { AppError } from '../foundation/errors.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { copySample } from '../store/samples.ts';
import type { Sample, SampleCopyStores, SampleLibrary } from '../store/samples.ts';

/** A document has at most 256 KiB without white space: four times that leaves room for any indentation. */
const documentBodyBytesMax = 1024 * 1024;

/** Errors of all: 401, 403, 404, 412 on a lost race; 400 with each problem of a body, 409 for a uid that is taken. */
export function saveTemplateRoutes(
  organizations: KeyHolders<KeyHolder>,
  templates: TemplateStore,
): Route[] {
  const shape = { errorShape: 'organization' } as const;
  return [
    {
      ...shape,
      name: 'create-template',
      path: '/v1/templates',
      bodyBytesMax: documentBodyBytesMax,
      post: async (exchange) => {
        const holder = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const uid = firstValue(parseQuery(exchange.query), 'uid');
        const [document, json] = await readDocument(exchange);
        const draft = await whenFree(() => templates.createDraft(holder.uid, uid, document, json));
        return draftReply(201, draft);
      },
    },
    {
      ...shape,
      name: 'save-template',
      path: '/v1/templates/:uid',
      bodyBytesMax: documentBodyBytesMax,
      put: async (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
        const ifMatch = parseIfMatch(exchange);
        const [document, json] = await readDocument(exchange);
        const draft = await whenFree(() =>
          templates.updateDraft(holder.uid, uid, document, json, { ifMatch }),
        );
        return draftReply(200, draft);
      },
      delete: async (exchange) => {
        const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
        const ifMatch = parseIfMatch(exchange);
        const isArchived = await whenFree(() => templates.archive(holder.uid, uid, { ifMatch }));
        if (!isArchived) throw noTemplate();
        return emptyReply(204);
      },
    },
    restoreRoute(organizations, templates),
    duplicateRoute(organizations, templates),
  ];
}

/** Brings an archived template back, links and all; one that is in use stays as it is. */
function restoreRoute(organizations: KeyHolders<KeyHolder>, templates: TemplateStore): Route {
  const readBody = createBodyReader(EmptyRequest);
  return {
    name: 'restore-template',
    path: '/v1/templates/:uid/restore',
    errorShape: 'organization',
    bodyBytesMax: smallBodyBytesMax,
    post: async (exchange) => {
      const orArchived = { orArchived: true };
      const { holder, uid } = requireOwnTemplate(
        exchange,
        organizations,
        templates,
        'write',
        orArchived,
      );
      const ifMatch = parseIfMatch(exchange);
      await readBody(exchange);
      const draft = await whenFree(() => templates.restore(holder.uid, uid, { ifMatch }));
      return draftReply(200, draft);
    },
  };
}

/** Copies the draft into a new template. */
function duplicateRoute(organizations: KeyHolders<KeyHolder>, templates: TemplateStore): Route {
  const readBody = createBodyReader(DuplicateRequest);
  return {
    name: 'duplicate-template',
    path: '/v1/templates/:uid/duplicate',
    errorShape: 'organization',
    bodyBytesMax: smallBodyBytesMax,
    post: async (exchange) => {
      const { holder, uid } = requireOwnTemplate(exchange, organizations, templates, 'write');
      const copy = await readBody(exchange);
      return draftReply(201, await whenFree(() => templates.duplicate(holder.uid, uid, copy)));
    },
  };
}

/** The document of a body, and its text as it is stored: what a parser reads, written without white space. */
async function readDocument(exchange: Exchange): Promise<[document: Template, json: string]> {
  const checked = checkTemplate(await readJson(exchange));
  if (!checked.ok) throw badBody(checked.problems, 'template document');
  return [checked.template, JSON.stringify(checked.template)];
}

/** The draft with its entity tag, and where a new one is; NOT_FOUND when it is gone meanwhile. */
export function draftReply(status: 200 | 201, draft: SavedDraft | undefined): Reply {
  if (draft === undefined) throw noTemplate();
  const { uid, cid, version } = draft;
  return jsonReply(
    status,
    { uid, cid, version },
    { ETag: documentETag(cid), ...(status === 201 && { Location: `/v1/templates/${uid}` }) },
  );
}

// `GET /v1/samples`, `GET /v1/samples/{uid}`, `POST /v1/samples/{uid}/copy`: templates to begin with.

/** What the endpoints of samples need. */
export interface SampleService extends SampleCopyStores {
  organizations: Pick<OrganizationStore, 'findByKey'>;
  samples: SampleLibrary;
}

/** Errors of all: 401 and 403; 404 for a sample that does not exist, and on a copy those of a new template. */
export function sampleRoutes(service: SampleService): Route[] {
  const { organizations, samples } = service;
  const shape = { errorShape: 'organization' } as const;
  const readCopy = createBodyReader(DuplicateRequest);
  return [
    {
      ...shape,
      name: 'samples',
      path: '/v1/samples',
      get: (exchange) => {
        requireKeyHolder(exchange.apiKey, organizations, 'read');
        return jsonReply(200, { samples: samples.list().map(toSummary) });
      },
    },
    {
      ...shape,
      name: 'sample',
      path: '/v1/samples/:uid',
      get: (exchange) => {
        requireKeyHolder(exchange.apiKey, organizations, 'read');
        return jsonReply(200, requireSample(samples, exchange.parameter).document);
      },
    },
    {
      ...shape,
      name: 'copy-sample',
      path: '/v1/samples/:uid/copy',
      bodyBytesMax: smallBodyBytesMax,
      post: async (exchange) => {
        const holder = requireKeyHolder(exchange.apiKey, organizations, 'write');
        const sample = requireSample(samples, exchange.parameter);
        const copy = await readCopy(exchange);
        return draftReply(201, await whenFree(() => copySample(service, holder.uid, sample, copy)));
      },
    },
  ];
}

function toSummary({ uid, document: { name, width, height } }: Sample): object {
  return { uid, name, width, height };
}

function requireSample(samples: SampleLibrary, uid: string): Sample {
  const sample = samples.find(uid);
  if (sample === undefined) {
    throw new AppError('NOT_FOUND', 'Sample not found', { reason: 'sample' });
  }
  return sample;
}
