/** Makes the OpenAPI 3.1 document of the operations and of the schemas that also validate. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import type { JsonSchema } from '#language/schema/document.ts';
import { components } from './components.ts';
import type { Operation, Parameter } from './operation.ts';
import { tags } from './operation.ts';
import { operations } from './operations.ts';
import { headResponsesOf, responsesOf, sharedResponses } from './responses.ts';

const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string;
  description: string;
};

/** The whole description, for a service at `serverUrl`. A fresh object each time: the caller may change it. */
export function openApiDocument(serverUrl: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method] = describe(operation);
    if (operation.method === 'get') path['head'] = describeHead(operation);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      version: manifest.version,
      summary: manifest.description,
      description:
        'Render links are public, `GET` only, and answer pictures. The endpoints of an organization need its key in the header `X-API-Key` and answer JSON. `HEAD` works wherever `GET` does and has its status and headers; other methods of a known path answer 405 with `Allow`. A body that is too long answers 413, and a disk of the service that takes no changes 507.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components(),
      responses: sharedResponses(),
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

function describeHead(operation: Operation): JsonSchema {
  const { description: _body, ...get } = describe(operation);
  return {
    ...get,
    operationId: `${operation.id}Head`,
    summary: `${operation.summary}: headers alone`,
    responses: headResponsesOf(operation),
  };
}

function describeParameter(parameter: Parameter): JsonSchema {
  const isValues = (parameter.schema as { type?: string }).type === 'object';
  return { ...parameter, ...(isValues ? { style: 'form', explode: true } : {}) };
}
