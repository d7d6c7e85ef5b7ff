/** Makes the OpenAPI 3.1 document of the endpoints' declarations. */
import { manifest } from '../../foundation/product.ts';
import type { JsonSchema } from '#language/schema/document.ts';
import { documentSchema } from '#language/schema/document.ts';
import { withoutNotes } from '#language/schema/notes.ts';
import type { NamedParameter, Operation, RequestBody } from '../declaration.ts';
import { tags, takesBody, takesIdempotencyKey } from '../declaration.ts';
import { errorTable } from '../../foundation/errors.ts';
import { OrganizationError, RenderError } from '../shared-schemas.ts';

/** Makes the OpenAPI document of a service at `serverUrl`. The object is new each time: the caller may change it. */
export function openApiDocument(operations: readonly Operation[], serverUrl: string): JsonSchema {
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
        'Render links are public and answer images. All other calls for an organization need its key, in the header `X-API-Key` or as `Authorization: Bearer`, and answer JSON or files. `HEAD` works wherever `GET` does and has its status and headers; other methods of a known path answer 405 with `Allow`. A body that is too long answers 413, and a disk of the service that takes no changes 507.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
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
  return withComponents(document);
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
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(describeParameter) }),
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: responsesOf(operation),
  };
}

function describeHead(operation: Operation): JsonSchema {
  return {
    ...describe(operation),
    operationId: `${operation.id}Head`,
    summary: `${operation.summary}: headers alone`,
    description: 'The status and the headers of GET, without the body.',
    responses: headResponsesOf(operation),
  };
}

function describeBody({ schema: _validated, ...body }: RequestBody): object {
  return body;
}

function describeParameter(parameter: NamedParameter): JsonSchema {
  const isValues = (parameter.schema as { type?: string }).type === 'object';
  return { ...parameter, ...(isValues ? { style: 'form', explode: true } : {}) };
}

// Components: schemas with an `$id`, and the template language.

/**
 * Converts the document to plain JSON. A schema with an `$id` becomes a component, and each use of the schema a
 * reference. Notes of the studio are left out, because strict parsers reject keywords that JSON Schema does not have.
 */
function withComponents(document: object): JsonSchema {
  const schemas: Record<string, unknown> = {};
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as { $id?: string };
    // Reserved before its parts are converted, so that components keep the order in which they are read.
    if ($id !== undefined) schemas[$id] ??= {};
    const plain = ($id === undefined ? rest : withoutNotes(rest)) as object;
    const converted = Object.fromEntries(
      Object.entries(plain).map(([name, part]) => [name, convert(part)]),
    );
    if ($id === undefined) return converted;
    schemas[$id] = converted;
    return { $ref: `#/components/schemas/${$id}` };
  };
  // The round trip through JSON removes the marks that TypeBox keeps beside the schema.
  const converted = convert(JSON.parse(JSON.stringify(document), withType)) as JsonSchema;
  const components = converted['components'] as JsonSchema;
  return {
    ...converted,
    components: { schemas: { ...schemas, ...templateSchemas() }, ...components },
  };
}

/** Schemas of the template language. Its parts are components, because some tools cannot follow references into one. */
function templateSchemas(): Record<string, JsonSchema> {
  const { $defs, $schema: _draft, $id: _id, ...document } = documentSchema();
  const text = JSON.stringify({ TemplateDocument: document, ...prefixed($defs as JsonSchema) });
  const linked = text.replaceAll('"#/$defs/', '"#/components/schemas/Template.');
  return JSON.parse(linked, withType) as Record<string, JsonSchema>;
}

/** Adds the type of its values to an `enum` or a `const`: tools that make form fields look only at `type`. */
function withType(_key: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || 'type' in part) return part;
  const { enum: choices, const: only } = part as { enum?: unknown; const?: unknown };
  const types = new Set((Array.isArray(choices) ? choices : [only]).map((each) => typeof each));
  const known = ['string', 'number', 'boolean'] as const;
  const type = known.find((each) => types.size === 1 && types.has(each));
  return type === undefined ? part : { type, ...part };
}

function prefixed(parts: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(parts).map(([name, schema]) => [`Template.${name}`, schema]),
  );
}

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
  409: {
    name: 'KeyInProgress',
    description: 'A request with the same `Idempotency-Key` is in progress, or was interrupted.',
    header: 'Retry-After',
    occurs: takesIdempotencyKey,
  },
  413: {
    name: 'BodyTooLong',
    description: 'The body is longer than this address takes.',
    occurs: takesBody,
  },
  422: {
    name: 'KeyReused',
    description: 'The `Idempotency-Key` was used for another request.',
    occurs: takesIdempotencyKey,
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests, or too many wrong keys, from this address.',
    header: 'Retry-After',
    occurs: (operation) => needsKey(operation) || operation.rate !== undefined,
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
    occurs: (operation) => usesStore(operation) || operation.isUnshared !== true,
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
      Object.entries(sharedErrors).map(([status, error]) => [
        nameOf(error, shape),
        errorResponse(Number(status), error, shape),
      ]),
    ),
  );
}

/** All responses of an operation by status. The declaration of the operation overrides shared errors. */
function responsesOf(operation: Operation): JsonSchema {
  const { answers, errors: endpointErrors = {}, errorShape } = operation;
  const shared = Object.entries(sharedErrors)
    .filter(([, error]) => error.occurs(operation))
    .map(([status, error]) => [
      status,
      { $ref: `#/components/responses/${nameOf(error, errorShape)}` },
    ]);
  const ofEndpoint = Object.entries(endpointErrors).map(([status, description]) => {
    const header = sharedErrors[Number(status)]?.header;
    const error = { description, ...(header === undefined ? {} : { header }) };
    return [status, errorResponse(Number(status), error, errorShape)];
  });
  return { ...(Object.fromEntries([...shared, ...ofEndpoint]) as JsonSchema), ...answers };
}

/** The responses of HEAD, which has the status and the headers of GET without the body. */
function headResponsesOf(operation: Operation): JsonSchema {
  const responses = Object.entries(responsesOf(operation)).map(([status, response]) => {
    const { description, headers: described } = response as SharedError & { headers?: object };
    const text = description ?? sharedErrors[Number(status)]?.description;
    return [
      status,
      { description: text, ...(described === undefined ? {} : { headers: described }) },
    ];
  });
  return Object.fromEntries(responses) as JsonSchema;
}

function nameOf({ name }: SharedError, shape: Operation['errorShape']): string {
  return shape === 'render' ? `Render${name}` : name;
}

function errorResponse(
  status: number,
  { description, header }: Pick<SharedError, 'description' | 'header'>,
  shape: Operation['errorShape'],
): JsonSchema {
  const schema = shape === 'render' ? RenderError : OrganizationError;
  return {
    description,
    ...(header === undefined ? {} : { headers: { [header]: headers[header] } }),
    content: { 'application/json': { schema, example: errorExample(status, description, shape) } },
  };
}

/** An example body of an error, with the description of the status as its message. */
function errorExample(status: number, message: string, shape: Operation['errorShape']): object {
  if (shape === 'organization') return { error: message };
  const code = Object.entries(errorTable).find(([, error]) => error.status === status)?.[0];
  return { error: { code, message, requestId: 'req_7Yk2mQ4x000000001' } };
}
