/** `GET /v1/samples`, `GET /v1/samples/{uid}`, `POST /v1/samples/{uid}/copy`: templates to begin with. */
import { AppError } from '../foundation/errors.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { copySample } from '../store/samples.ts';
import type { Sample, SampleCopyStores, SampleLibrary } from '../store/samples.ts';
import { whenFree } from '../store/database/when-free.ts';
import { createBodyReader, smallBodyBytesMax } from './request/json-body.ts';
import { draftReply } from './save-templates.ts';
import { DuplicateRequest } from './schemas/templates.ts';

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
