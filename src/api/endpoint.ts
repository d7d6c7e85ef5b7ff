/** Makes endpoints from a declaration and a handler, and routes from endpoints. */
import type { Static, TSchema } from 'typebox';
import type { Exchange } from '../http/exchange.ts';
import { firstValue, parseQuery } from '../http/query.ts';
import type { Reply } from '../http/reply.ts';
import type { Handler, Route } from '../http/server.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { KeyScope } from '../store/organizations/api-key.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';
import { takesBody, takesIdempotencyKey } from './declaration.ts';
import type { Declaration, NamedParameter, Operation, Parameters } from './declaration.ts';
import type { Holders } from './request/holder.ts';
import { requireHolder, requireTokenTemplate } from './request/holder.ts';
import { answerOnce, saveOnce } from './request/idempotency.ts';
import {
  emptyBody,
  inAnonymousShare,
  parseCount,
  parseFlag,
  readBody,
  smallBodyBytesMax,
  takeShare,
} from './request/input.ts';
import { reportErrors } from './request/store-errors.ts';

/** An endpoint whose handler needs `Parts`. */
export interface Endpoint<in Parts> extends Operation {
  createHandler: (parts: Parts) => Handler;
}

type ValueOf<Schema> = Schema extends { type: 'integer' }
  ? number
  : Schema extends { type: 'boolean' }
    ? boolean
    : string;

/** Values of the declared query parameters; undefined for an absent parameter without a default. */
type QueryOf<D> = D extends { query: infer Query }
  ? {
      [Name in keyof Query]: Query[Name] extends { schema: infer Schema }
        ? ValueOf<Schema> | (Schema extends { default: unknown } ? never : undefined)
        : never;
    }
  : object;

type BodyOf<D> = D extends { body: { schema: infer Schema extends TSchema } }
  ? Static<Schema>
  : object;

/** Input of the handler of an endpoint with a scope. Query and body are read only when the handler calls for them. */
interface KeyedInput<D> {
  holder: KeyHolder;
  /** Throws BAD_REQUEST for a value that is no number or boolean, where one is declared. */
  readQuery: () => QueryOf<D>;
  /** Validates the body, `{}` if empty; allows no property without a declared body. Rejects with BAD_REQUEST. */
  readBody: () => Promise<BodyOf<D>>;
  /** For a body saved to a file with this digest: answers once for each idempotency key, if the request has one. */
  answerOnce: (sha256: Buffer, handle: () => Promise<Reply>) => Promise<Reply>;
}

type EndpointHandler<D> = D extends { scope: KeyScope }
  ? (exchange: Exchange, input: KeyedInput<D>) => Reply | Promise<Reply>
  : Handler;

/** Stores that an endpoint with a scope needs beside the parts of its handler. */
type KeyParts<D> = D extends { scope: KeyScope }
  ? { organizations: Holders; idempotency: IdempotencyStore }
  : unknown;

/**
 * Makes an endpoint. `createHandler` runs once for each service. If the declaration has a scope, the key is checked
 * before the handler runs. Without a scope, the caller needs a part of what all callers without a key share, unless
 * `isUnshared`.
 */
export function endpoint<const D extends Declaration, Parts = unknown>(
  declaration: D,
  createHandler: (parts: Parts) => EndpointHandler<D>,
): Endpoint<Parts & KeyParts<D>> {
  const { scope, isUnshared } = declaration as Declaration;
  return {
    ...declaration,
    parameters: parametersOf(declaration),
    createHandler(parts) {
      const handler = createHandler(parts);
      if (scope === undefined) return isUnshared ? handler : inAnonymousShare(handler);
      return keyedHandler(declaration, scope, parts as KeyParts<{ scope: KeyScope }>, handler);
    },
  };
}

function keyedHandler(
  declaration: Declaration,
  scope: KeyScope,
  { organizations, idempotency }: KeyParts<{ scope: KeyScope }>,
  handler: EndpointHandler<{ scope: KeyScope }>,
): Handler {
  const { query = {}, body } = declaration;
  const isOnce = takesIdempotencyKey(declaration);
  return (exchange) => {
    const holder = requireHolder(exchange, declaration, scope, organizations);
    exchange.organizationUid = holder.uid;
    const hasKey = isOnce && exchange.idempotencyKey !== '';
    const handle = (): Reply | Promise<Reply> =>
      handler(exchange, {
        holder,
        readQuery: () => readParameters(exchange, query),
        readBody: async () => {
          const value: unknown = await readBody(exchange, body?.schema ?? emptyBody);
          requireTokenTemplate(holder, (value as { uid?: unknown }).uid);
          return value as never;
        },
        answerOnce: (sha256, once) =>
          hasKey ? answerOnce(exchange, holder.uid, idempotency, once, sha256) : once(),
      });
    if (declaration.savesBody === true) return saveOnce(exchange, handle);
    // Requests with a body take their share when the body is read.
    if (declaration.method === 'get') return takeShare(exchange).then(handle);
    if (!hasKey) return handle();
    return answerOnce(exchange, holder.uid, idempotency, handle);
  };
}

/** Parses query parameters by their declared types. Texts stay as sent. */
function readParameters(exchange: Exchange, parameters: Parameters): object {
  const query = parseQuery(exchange.query);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { schema }]) => {
      const { type, minimum = 0, default: fallback } = schema as Record<string, unknown>;
      const read = type === 'integer' ? parseCount : type === 'boolean' ? parseFlag : firstValue;
      return [name, read(query, name, Number(minimum)) ?? fallback];
    }),
  );
}

const idempotencyKey: Parameters = {
  'Idempotency-Key': {
    description:
      'A text in quotes that the client makes for this request, such as a UUID. If it is sent again with the same key, the request takes effect once, and the answer is the first one, for 24 hours.',
    schema: { type: 'string', maxLength: 257 },
  },
};

function parametersOf(declaration: Declaration): NamedParameter[] {
  const { pathParameters, query, headers } = declaration;
  const idempotencyHeader = takesIdempotencyKey(declaration) ? idempotencyKey : {};
  const locations = [
    ['path', pathParameters],
    ['query', query],
    ['header', { ...headers, ...idempotencyHeader }],
  ] as const;
  return locations.flatMap(([location, parameters = {}]) =>
    Object.entries(parameters).map(([name, parameter]) => ({ name, in: location, ...parameter })),
  );
}

/** Makes the routes of endpoints. `report` converts errors that handlers of the organization API throw. */
export function routesOf<Parts>(
  endpoints: ReadonlyArray<Endpoint<Parts>>,
  parts: Parts,
  report?: (error: unknown) => unknown,
): Route[] {
  return endpoints.map((each): Route => {
    const { route, path, method, errorShape, rate, bodyBytesMax = smallBodyBytesMax } = each;
    const handler = each.createHandler(parts);
    return {
      name: route,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      errorShape,
      [method]:
        report === undefined || (errorShape === 'render' && each.scope === undefined)
          ? handler
          : reportErrors(handler, report),
      ...(takesBody(each) ? { bodyBytesMax } : {}),
      ...(rate === undefined ? {} : { rate }),
    };
  });
}
