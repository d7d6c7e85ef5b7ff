/** `GET /openapi.json` and `GET /template.schema.json`: the API and the template language, for tools. */
import type { Operation } from '../api/declaration.ts';
import { endpoint } from '../api/endpoint.ts';
import { addressedFile } from '../api/request/public-url.ts';
import type { PublicUrl } from '../api/request/public-url.ts';
import {
  notModified,
  pageFile,
  pageShared,
  sharedFileReply,
  textAnswer,
} from '../api/request/page-file.ts';
import type { PageFile } from '../api/request/page-file.ts';
import { describedBase, readDescription } from './descriptions.ts';

/** Parts that descriptions of the API need. */
export interface DescriptionParts {
  publicUrl: PublicUrl;
  /** Every endpoint of the service, in the order of the reference. */
  operations: readonly Operation[];
}

/** The document for the address of the request. */
export const openapi = endpoint(
  {
    ...pageShared,
    id: 'openapi',
    route: 'openapi',
    path: '/openapi.json',
    summary: 'OpenAPI',
    description: 'This description for tools.',
    answers: { 200: textAnswer('OpenAPI', 'application/json') },
  },
  ({ publicUrl }: DescriptionParts) => {
    const fileAt = addressedFile(
      'application/json',
      (base) => readDescription('openapi.json').replaceAll(describedBase, base),
      (base) => JSON.stringify(base).slice(1, -1),
    );
    return async (exchange) => sharedFileReply(exchange, await fileAt(publicUrl(exchange)));
  },
);

/** The text of docs/template.schema.json. */
export const templateSchema = endpoint(
  {
    ...pageShared,
    id: 'templateSchema',
    route: 'template-schema',
    path: '/template.schema.json',
    summary: 'Template schema',
    description:
      'The template language as a JSON Schema, for editors that complete and check. It has an `ETag`.',
    answers: { 200: textAnswer('Template schema', 'application/json'), ...notModified },
  },
  () => {
    let file: PageFile | undefined;
    return (exchange) =>
      sharedFileReply(
        exchange,
        (file ??= pageFile('application/json', readDescription('template.schema.json'))),
      );
  },
);
