/** Declarations of endpoints as plain data: the source of routes, OpenAPI, the reference page and client types. */
import type { TSchema } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import type { RateLimit } from '../http/caller-limits.ts';
import type { ErrorShape } from '../http/reply.ts';
import type { KeyScope } from '../store/organizations/api-key.ts';

/** A JSON Schema as plain data, or a TypeBox schema. A schema with an `$id` becomes a component of that name. */
export type SchemaNode = TSchema | Readonly<Record<string, unknown>>;

/** A parameter of the path, the query or the header. */
export interface Parameter {
  description: string;
  schema: SchemaNode;
  required?: boolean;
  /** For an object schema, the example of each property. Each property becomes a separate parameter. */
  example?: string | Readonly<Record<string, string>>;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** One media type of a body. */
export interface Media {
  schema: SchemaNode;
  example?: unknown;
}

type Content = Readonly<Record<string, Media>>;

/** The body of a request. */
export interface RequestBody {
  description: string;
  required: boolean;
  content: Content;
  /** The schema against which `readBody` validates. Absent if the handler reads the bytes itself. */
  schema?: TSchema;
}

/** A successful response, or one whose body differs from other errors. */
export interface Answer {
  description: string;
  headers?: Readonly<Record<string, { description: string; schema: SchemaNode }>>;
  content?: Content;
}

/** All properties of an endpoint except its handler. */
export interface Declaration {
  /** The `operationId` in OpenAPI, and the name of the client's method. */
  id: string;
  /** Name of the route in the log and in metrics. */
  route: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** A path with `{parameters}`. */
  path: string;
  tag: Tag;
  summary: string;
  /** A few sentences of Markdown. */
  description: string;
  /** The scope that the API key needs; absent: no key is needed. */
  scope?: KeyScope;
  /**
   * Of an endpoint without a scope: its callers need no share of the main thread. So are links, whose renders have limits
   * of their own, health checks, which a flood of other requests must not fail, and what checks a key by itself.
   */
  isUnshared?: true;
  /** Requests of one network that are answered; further ones get 429. Absent: any number. */
  rate?: RateLimit;
  /**
   * Whether an embed token may replace a key; absent: no. If the path or the body names a template as `uid`, the token
   * must be for that template. `publish`: the token must also have the right to publish.
   */
  embed?: 'edit' | 'publish';
  pathParameters?: Parameters;
  query?: Parameters;
  headers?: Parameters;
  body?: RequestBody;
  /** Upper bound of the body, for methods that have one. Default: `smallBodyBytesMax`. */
  bodyBytesMax?: number;
  /** The handler saves the body to a file, and calls `answerOnce` when that is done. */
  savesBody?: true;
  /** Responses by status. */
  answers: Readonly<Record<number, Answer>>;
  /** When each error occurs, by status. Errors that every endpoint of a kind has are added. */
  errors?: Readonly<Record<number, string>>;
  /** A call of the client with the examples; absent if a link or a browser is enough. */
  clientCall?: string;
  /** Shape of the error bodies. */
  errorShape: ErrorShape;
}

/** Whether requests of the method have a body. */
export function takesBody({ method }: Pick<Declaration, 'method'>): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}

/** A parameter with its name. */
export interface NamedParameter extends Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
}

/** A declaration with all its parameters in one list. */
export interface Operation extends Declaration {
  /** Parameters of the path, the query and the header, in this order. */
  parameters: readonly NamedParameter[];
}

/** Groups of endpoints, in the order of the reference. */
export const tags = {
  Render: 'Images from links. No key is needed, unless the template asks for one.',
  Templates: 'Drafts, versions and what is published. A published version never changes.',
  Campaigns:
    'Lists of recipients: proofs of every row, links, files, and images made before sending.',
  Preview: 'Draws a document that need not be saved, as an image or as a report.',
  Assets: 'Images that templates hold. The same bytes are the same asset.',
  Tables:
    'Data tables of the organization: a link carries a key, and the values of its row stay here.',
  Fonts: 'Bundled fonts, and those of the organization.',
  Brand: 'Colours, text styles, logos and fonts of the organization, which templates follow.',
  Keys: 'API keys of the organization, and the signing keys of templates.',
  Webhooks: 'Signed messages to servers of the organization, when something happens.',
  Service: 'Pages, health, and descriptions for tools.',
} as const;

export type Tag = keyof typeof tags;

/** Whether a request may have the header `Idempotency-Key`: each POST whose scope changes or renders something may. */
export function takesIdempotencyKey({ method, scope }: Declaration): boolean {
  return method === 'post' && scope !== undefined && scope !== 'read';
}

// Parts of declarations.

/** The content of a JSON body. */
export function json(schema: SchemaNode, example?: unknown): Content {
  return { 'application/json': example === undefined ? { schema } : { schema, example } };
}

/** A JSON response. */
export function jsonAnswer(description: string, schema: SchemaNode, example?: unknown): Answer {
  return { description, content: json(schema, example) };
}

/** A JSON body that `readBody` validates. */
export function jsonBody<Schema extends TSchema>(
  description: string,
  schema: Schema,
  example: unknown,
  required = true,
): RequestBody & { schema: Schema } {
  return { description, required, content: json(schema, example), schema };
}

/** The content of a body that is a file. */
export function fileContent(...types: string[]): Content {
  return Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  );
}

/** A parameter that is a segment of the path. */
export function pathParameter(description: string, example: string, pattern?: string): Parameter {
  const schema = pattern === undefined ? { type: 'string' } : { type: 'string', pattern };
  return { description, required: true, schema, example };
}

/** The uid of a template in a path. */
export const uidParameter = pathParameter('Uid of the template.', 'hello', uidSchemaPattern);

/** Query parameters that choose the page of a list. */
export const pageQuery = {
  limit: {
    description:
      'Entries of the page; over 100 counts as 100, and empty as absent. The body repeats it as it was applied.',
    schema: { type: 'integer', minimum: 1, default: 20 },
  },
  offset: {
    description: 'Entries to skip. The body repeats it.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
} as const satisfies Parameters;

/** The example of a parameter as one text; empty if it has none. */
export function exampleText(parameter: Parameter | undefined): string {
  return typeof parameter?.example === 'string' ? parameter.example : '';
}
