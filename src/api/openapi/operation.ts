/** What is said of one endpoint in the API's description: plain data, from which OpenAPI, the reference page and the collection are made. */
import { uidSchemaPattern } from '#language/uid.ts';
import type { JsonSchema } from '#language/schema/document.ts';
import type { KeyScope } from '../../store/organizations/key-scopes.ts';

/** A schema, or a reference to one of the components. */
export type SchemaNode = JsonSchema | object;

/** A parameter of the path, the query or the head. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: SchemaNode;
  required?: boolean;
  /** Of an object, its properties: each becomes a parameter of its own. */
  example?: string | Readonly<Record<string, string>>;
}

/** One media type of a body, by its name. */
export interface Media {
  schema: SchemaNode;
  example?: unknown;
}

/** A header of an answer. */
export interface AnswerHeader {
  description: string;
  schema: SchemaNode;
}

/** An answer that is a success or that means what is told; errors are listed apart. */
export interface Answer {
  description: string;
  headers?: Readonly<Record<string, AnswerHeader>>;
  content?: Readonly<Record<string, Media>>;
}

/** One method of one path. */
export interface Operation {
  /** The method of the client that calls it, too. */
  id: string;
  method: 'get' | 'post' | 'put' | 'delete';
  /** With `{parameters}`. */
  path: string;
  tag: Tag;
  summary: string;
  /** Markdown of a few sentences. */
  description: string;
  /** What the key must be allowed; undefined: no key is asked for. */
  scope?: KeyScope;
  parameters?: readonly Parameter[];
  body?: { description: string; required: boolean; content: Readonly<Record<string, Media>> };
  answers: Readonly<Record<number, Answer>>;
  /** When each error comes, by status; those of every key, 401, 403 and 429, are added. */
  errors?: Readonly<Record<number, string>>;
  /** How the client is called, with the examples; absent where a link or a browser is all that is needed. */
  clientCall?: string;
  /** Which of the two error bodies it answers with. */
  errorShape: 'render' | 'organization';
}

/** Groups of endpoints, in the order in which they are read. */
export const tags = {
  Render: 'Pictures from links. No key is needed, unless the template asks for one.',
  Templates: 'Drafts, versions and what is published. A published version never changes.',
  Preview: 'Draws a document that need not be saved, as an image or as a report.',
  Assets: 'Pictures that templates hold. The same bytes are the same asset.',
  Fonts: 'Bundled fonts, and those of the organization.',
  Keys: 'API keys of the organization, and the signing keys of templates.',
  Service: 'Pages, health, and descriptions for tools.',
} as const;

export type Tag = keyof typeof tags;

/** A reference to a component. */
export function ref(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A JSON body. */
export function json(schema: SchemaNode, example?: unknown): Readonly<Record<string, Media>> {
  return { 'application/json': example === undefined ? { schema } : { schema, example } };
}

/** A JSON answer. */
export function jsonAnswer(description: string, schema: SchemaNode, example?: unknown): Answer {
  return { description, content: json(schema, example) };
}

/** A parameter's example as one text; empty where there is none. */
export function exampleText(parameter: Parameter | undefined): string {
  return typeof parameter?.example === 'string' ? parameter.example : '';
}

/** The uid of a template in a path. */
export const uidParameter: Parameter = {
  name: 'uid',
  in: 'path',
  description: 'Uid of the template.',
  required: true,
  schema: { type: 'string', pattern: uidSchemaPattern },
  example: 'hello',
};

/** An id in a path. */
export function idParameter(description: string, example: string): Parameter {
  return {
    name: 'id',
    in: 'path',
    description,
    required: true,
    schema: { type: 'string' },
    example,
  };
}

/** Pages of a list. */
export const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description:
      'Entries of the page; over 100 counts as 100, and empty as absent. The body repeats it as it was applied.',
    schema: { type: 'integer', minimum: 1, default: 20 },
  },
  {
    name: 'offset',
    in: 'query',
    description: 'Entries to skip. The body repeats it.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
];
