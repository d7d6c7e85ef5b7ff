/** The responses of an operation; the errors that many operations share are components. */
import type { JsonSchema } from '#language/schema/document.ts';
import type { Operation } from './operation.ts';
import { ref } from './operation.ts';

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
export function sharedResponses(): JsonSchema {
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
export function responsesOf(operation: Operation): JsonSchema {
  const { answers, errors = {}, errorShape } = operation;
  const shared = Object.entries(sharedErrors)
    .filter(([, error]) => error.occurs(operation))
    .map(([status, error]) => [
      status,
      { $ref: `#/components/responses/${nameOf(error, errorShape)}` },
    ]);
  const own = Object.entries(errors).map(([status, description]) => {
    const header = sharedErrors[Number(status)]?.header;
    const error = { description, ...(header === undefined ? {} : { header }) };
    return [status, errorResponse(error, errorShape)];
  });
  return { ...(Object.fromEntries([...shared, ...own]) as JsonSchema), ...answers };
}

/** The responses of HEAD, which has the status and the headers of GET without the body. */
export function headResponsesOf(operation: Operation): JsonSchema {
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
