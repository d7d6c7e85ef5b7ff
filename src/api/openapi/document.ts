/** Makes the OpenAPI 3.1 document of the operations and of the schemas that also validate. */
import { readFileSync } from 'node:fs';
import type { JsonSchema } from '#shared/document-schema.ts';
import { components } from './components.ts';
import type { Operation, Parameter } from './operation.ts';
import { ref, tags } from './operation.ts';
import { operations } from './operations.ts';

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string };

/** Errors of every endpoint that asks for a key. */
const keyErrors: Readonly<Record<number, string>> = {
  401: 'The key is absent or not valid.',
  403: 'The key is valid and lacks the scope.',
  429: 'Too many wrong keys from this address; `Retry-After` says when to come back.',
};

/** The whole description, for a service at `serverUrl`. A fresh object each time: the caller may change it. */
export function openApiDocument(serverUrl: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method] = describe(operation);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      version: manifest.version,
      summary: manifest.description,
      description:
        'Render links are public, `GET` only, and answer pictures. The endpoints of an organization need its key in the header `X-API-Key` and answer JSON. `HEAD` works wherever `GET` does; other methods of a known path answer 405 with `Allow`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key of the organization; its scopes say what it may do.',
        },
      },
    },
  };
  // TypeBox's own marks are no JSON.
  return JSON.parse(JSON.stringify(document)) as JsonSchema;
}

function describe(operation: Operation): JsonSchema {
  const { id, tag, summary, description, scope, parameters, body } = operation;
  const need = scope === undefined ? '' : ` The key needs the scope \`${scope}\`.`;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${need}`,
    security: scope === undefined ? [] : [{ apiKey: [] }],
    ...(parameters === undefined ? {} : { parameters: parameters.map(describeParameter) }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(operation),
  };
}

function describeParameter(parameter: Parameter): JsonSchema {
  const isValues = (parameter.schema as { type?: string }).type === 'object';
  return { ...parameter, ...(isValues ? { style: 'form', explode: true } : {}) };
}

/** Errors of everything that is stored. */
const writeErrors = {
  503: 'The database is locked; `Retry-After` says when to come back.',
  507: 'The disk of the service is full or faulty: nothing was changed.',
};

/** Answers and errors by status, in order. */
function responsesOf({ answers, errors, scope, errorShape }: Operation): JsonSchema {
  const told = {
    ...(scope === undefined ? {} : keyErrors),
    ...(scope === 'write' ? writeErrors : {}),
    ...errors,
  };
  const schema = ref(errorShape === 'render' ? 'RenderError' : 'OrganizationError');
  const content = { 'application/json': { schema } };
  const failures = Object.entries(told).map(([status, description]) => {
    const retry = status === '503' || status === '507' || status === '429';
    return [
      status,
      {
        description,
        ...(retry ? { headers: { 'Retry-After': retryAfter } } : {}),
        content,
      },
    ];
  });
  return { ...answers, ...(Object.fromEntries(failures) as JsonSchema) };
}

const retryAfter = { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } };
