/** Makes the OpenAPI 3.1 document of the operations and of the schemas that also validate. */
import { manifest } from '../../foundation/manifest.ts';
import type { JsonSchema } from '#language/schema/document.ts';
import type { Operation, Parameter } from './operation.ts';
import { tags, ref } from './operation.ts';
import { documentSchema } from '#language/schema/document.ts';
import * as assets from '../schemas/assets.ts';
import * as errors from '../schemas/errors.ts';
import * as fonts from '../schemas/fonts.ts';
import * as keys from '../schemas/keys.ts';
import * as organization from '../schemas/organization.ts';
import * as preview from '../schemas/preview.ts';
import * as service from '../schemas/service.ts';
import * as templates from '../schemas/templates.ts';
import { assetOperations } from './asset-operations.ts';
import { keyOperations } from './key-operations.ts';
import { previewOperations, renderOperations } from './render-operations.ts';
import { sampleOperations } from './sample-operations.ts';
import { serviceOperations } from './service-operations.ts';
import { templateOperations } from './template-operations.ts';

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
        'Render links are public, `GET` only, and answer images. The organization endpoints need its key in the header `X-API-Key` and answer JSON. `HEAD` works wherever `GET` does and has its status and headers; other methods of a known path answer 405 with `Allow`. A body that is too long answers 413, and a disk of the service that takes no changes 507.',
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

// The named schemas of the description: those that validate, and the template language.

/** Every schema by its name. A fresh object each time. */
function components(): Record<string, JsonSchema> {
  const named = {
    ...errors,
    ...organization,
    ...templates,
    ...preview,
    ...assets,
    ...fonts,
    ...keys,
    ...service,
  };
  const schemas = JSON.parse(JSON.stringify(named)) as Record<string, JsonSchema>;
  const properties = schemas['PreviewRequest']?.['properties'] as JsonSchema | undefined;
  // The endpoint checks the document layer by layer, for errors that name the property.
  if (properties !== undefined) {
    properties['template'] = { $ref: '#/components/schemas/TemplateDocument' };
  }
  return { ...schemas, ...templateSchemas() };
}

/** The template language, its parts as components of their own: a reference to the inside of one is not for every tool. */
function templateSchemas(): Record<string, JsonSchema> {
  const { $defs, $schema: _draft, $id: _id, ...document } = documentSchema();
  const text = JSON.stringify({ TemplateDocument: document, ...prefixed($defs as JsonSchema) });
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/Template.')) as Record<
    string,
    JsonSchema
  >;
}

function prefixed(parts: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(parts).map(([name, schema]) => [`Template.${name}`, schema]),
  );
}

// Every endpoint of the service, in the order of the reference. `/metrics` has a port of its own and is not among them.

export const operations: readonly Operation[] = [
  ...renderOperations,
  ...templateOperations,
  ...sampleOperations,
  ...previewOperations,
  ...assetOperations,
  ...keyOperations,
  ...serviceOperations,
];

// The responses of an operation. Errors that many operations share are components.

/** An error that every operation of a kind answers. */
interface SharedError {
  name: string;
  description: string;
  header?: 'Allow' | 'Retry-After';
  /** Whether an operation can answer it. */
  occurs: (operation: Operation) => boolean;
}

const needsKey = ({ scope }: Operation): boolean => scope !== undefined;
const takesBody = ({ method }: Operation): boolean => method === 'post' || method === 'put';
const usesStore = ({ errorShape, tag }: Operation): boolean =>
  errorShape === 'organization' || tag === 'Render';

/** By status, in order. */
const sharedErrors: Readonly<Record<number, SharedError>> = {
  401: {
    name: 'InvalidKey',
    description: 'The key is absent or not valid.',
    occurs: needsKey,
  },
  403: {
    name: 'MissingScope',
    description: 'The key is valid and lacks the scope.',
    occurs: needsKey,
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'Another method than those in `Allow`.',
    header: 'Allow',
    occurs: () => true,
  },
  408: {
    name: 'BodyTimeout',
    description: 'The body paused for 5 s, or was not complete within a minute.',
    occurs: takesBody,
  },
  413: {
    name: 'BodyTooLong',
    description: 'The body is longer than this address takes.',
    occurs: takesBody,
  },
  429: {
    name: 'TooManyInvalidKeys',
    description: 'Too many wrong keys from this address.',
    header: 'Retry-After',
    occurs: needsKey,
  },
  500: {
    name: 'ServiceFault',
    description: 'A fault of the service; report the `X-Request-Id`.',
    occurs: usesStore,
  },
  503: {
    name: 'Overloaded',
    description: 'Too much is under way, or the database is locked.',
    header: 'Retry-After',
    occurs: usesStore,
  },
  507: {
    name: 'StorageUnavailable',
    description: 'The disk of the service is full, read-only or faulty: nothing was changed.',
    header: 'Retry-After',
    occurs: usesStore,
  },
};

const headers = {
  Allow: { description: 'The methods of this address.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};

/** The shared errors in both shapes, for `components.responses`. */
function sharedResponses(): JsonSchema {
  const shapes = ['render', 'organization'] as const;
  return Object.fromEntries(
    shapes.flatMap((shape) =>
      Object.values(sharedErrors).map((error) => [
        nameOf(error, shape),
        { ...errorResponse(error, shape) },
      ]),
    ),
  );
}

/** Every response of an operation by its status. Those of its own win over the shared ones. */
function responsesOf(operation: Operation): JsonSchema {
  const { answers, errors: ownErrors = {}, errorShape } = operation;
  const shared = Object.entries(sharedErrors)
    .filter(([, error]) => error.occurs(operation))
    .map(([status, error]) => [
      status,
      { $ref: `#/components/responses/${nameOf(error, errorShape)}` },
    ]);
  const own = Object.entries(ownErrors).map(([status, description]) => {
    const header = sharedErrors[Number(status)]?.header;
    const error = { description, ...(header === undefined ? {} : { header }) };
    return [status, errorResponse(error, errorShape)];
  });
  return { ...(Object.fromEntries([...shared, ...own]) as JsonSchema), ...answers };
}

/** The responses of HEAD, which has the status and the headers of GET without the body. */
function headResponsesOf(operation: Operation): JsonSchema {
  const responses = Object.entries(responsesOf(operation)).map(([status, response]) => {
    const { description, headers: own } = response as SharedError & { headers?: object };
    const told = description ?? sharedErrors[Number(status)]?.description;
    return [status, { description: told, ...(own === undefined ? {} : { headers: own }) }];
  });
  return Object.fromEntries(responses) as JsonSchema;
}

function nameOf({ name }: SharedError, shape: Operation['errorShape']): string {
  return shape === 'render' ? `Render${name}` : name;
}

function errorResponse(
  { description, header }: Pick<SharedError, 'description' | 'header'>,
  shape: Operation['errorShape'],
): JsonSchema {
  const schema = ref(shape === 'render' ? 'RenderError' : 'OrganizationError');
  return {
    description,
    ...(header === undefined ? {} : { headers: { [header]: headers[header] } }),
    content: { 'application/json': { schema } },
  };
}
