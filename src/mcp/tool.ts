/** A tool of the MCP server: its declaration, and the form of its input, answer and errors for an agent. */
import type { Static, TSchema } from 'typebox';
import { findProblems } from '#language/check/template-problems.ts';
import { createValidator } from '#language/schema/validator.ts';
import type { PlatenClient } from '../client/platen-client.ts';
import { PlatenError } from '../client/platen-client.ts';

/** A part of an answer: text, or an image in Base64. */
export type Content =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string };

export interface ToolAnswer {
  content: Content[];
  isError?: true;
  [field: string]: unknown;
}

/** Services that tools use. */
export interface ToolContext {
  client: PlatenClient;
  /** Converts a link to the address under which the caller can open it. */
  publicLink: (link: string) => string;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  schema: TSchema;
  /** Whether the tool changes nothing. */
  isReadOnly: boolean;
  /** Validates the input, and converts errors of the service into answers with advice. */
  call: (input: unknown, context: ToolContext) => Promise<ToolAnswer>;
}

/** Upper bound of the problems that one answer lists. */
const problemsMax = 20;

/** The error of arguments that fit the schema but cannot be used. Its message is advice. */
export class ArgumentError extends Error {}

interface Declaration<Schema extends TSchema> extends Omit<Tool, 'call' | 'schema'> {
  schema: Schema;
  /** Advice for a 404; default: `templateAdvice`. */
  notFoundAdvice?: (input: Static<Schema>) => string;
}

/** Makes a tool from its declaration and its function. */
export function tool<Schema extends TSchema>(
  { notFoundAdvice = () => templateAdvice, ...declaration }: Declaration<Schema>,
  run: (input: Static<Schema>, context: ToolContext) => Promise<Content[]>,
): Tool {
  const { schema } = declaration;
  const validator = createValidator(schema);
  return {
    ...declaration,
    async call(input, context) {
      if (!validator.Check(input)) {
        const problems = findProblems('', schema, input, validator);
        return failure('The arguments are not valid.', problems);
      }
      try {
        return { content: await run(input, context) };
      } catch (error) {
        if (error instanceof PlatenError) {
          const advice =
            error.status === 404 ? notFoundAdvice(input) : adviceByStatus[error.status];
          return failure(errorSentences(error, advice), error.details);
        }
        if (error instanceof ArgumentError) return failure(error.message, []);
        throw error;
      }
    },
  };
}

/** A value as text that an agent reads. */
export function json(value: unknown): Content {
  return { type: 'text', text: JSON.stringify(value, undefined, 1) };
}

function failure(
  sentence: string,
  problems: ReadonlyArray<{ path: string; message: string }>,
): ToolAnswer {
  const lines = problems.slice(0, problemsMax).map(({ path, message }) => `- ${path} ${message}`);
  return { isError: true, content: [{ type: 'text', text: [sentence, ...lines].join('\n') }] };
}

const templateAdvice = 'Call list_templates for the uids that exist.';

const adviceByStatus: Readonly<Record<number, string>> = {
  401: 'Ask for a valid API key of the organization.',
  403: 'Ask for an API key with this scope, or use the tools that need none of it.',
  412: 'The draft has changed meanwhile: read it again with describe_template.',
};

/** The message of the service, then when to try again, or else the advice. */
function errorSentences({ message, retryAfterSeconds }: PlatenError, advice = ''): string {
  // Short messages of the service, such as "Template not found", have no full stop.
  const sentence = /[.!?:]$/.test(message) ? message : `${message}.`;
  const retry =
    retryAfterSeconds === undefined ? advice : `Try again after ${retryAfterSeconds} seconds.`;
  return retry === '' ? sentence : `${sentence} ${retry}`;
}
