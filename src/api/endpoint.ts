/** An endpoint: its declaration and its handler. Makes routes of endpoints. */
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
import { answerOnce, checkIdempotencyKey } from './request/idempotency.ts';
import {
  emptyBody,
  parseCount,
  parseFlag,
  readBody,
  smallBodyBytesMax,
  takeShare,
} from './request/input.ts';
import { reportErrors } from './request/store-errors.ts';

/** An endpoint of a service that has `Parts`. */
export interface Endpoint<in Parts> extends Operation {
  createHandler: (parts: Parts) => Handler;
}

type ValueOf<Schema> = Schema extends { type: 'integer' }
  ? number
  : Schema extends { type: 'boolean' }
    ? boolean
    : string;

/** The query of an endpoint; undefined for what is absent and has no default. */
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

/** What an endpoint with a scope knows of a request. It reads query and body when it calls for them. */
interface KeyedInput<D> {
  holder: KeyHolder;
  /** Throws BAD_REQUEST for a value that is no number or boolean, where one is declared. */
  readQuery: () => QueryOf<D>;
  /** The body, validated; an empty body is an empty object. Without a declared body, no property is allowed. Rejects with BAD_REQUEST. */
  readBody: () => Promise<BodyOf<D>>;
  /** For a body in a file with this digest: as `answerOnce` of the idempotency, where the request has a key for it. */
  answerOnce: (sha256: Buffer, handle: () => Promise<Reply>) => Promise<Reply>;
}

type EndpointHandler<D> = D extends { scope: KeyScope }
  ? (exchange: Exchange, input: KeyedInput<D>) => Reply | Promise<Reply>
  : Handler;

/** What an endpoint needs beside the parts of its handler. */
type KeyParts<D> = D extends { scope: KeyScope }
  ? { organizations: Holders; idempotency: IdempotencyStore }
  : unknown;

/**
 * Makes an endpoint. `createHandler` runs once for each service. If the declaration has a scope, the key is checked
 * before the handler runs; else the handler is that of the route, without anything around it.
 */
export function endpoint<const D extends Declaration, Parts = unknown>(
  declaration: D,
  createHandler: (parts: Parts) => EndpointHandler<D>,
): Endpoint<Parts & KeyParts<D>> {
  const { scope } = declaration as Declaration;
  return {
    ...declaration,
    parameters: parametersOf(declaration),
    createHandler(parts) {
      const handler = createHandler(parts);
      if (scope === undefined) return handler;
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
    if (declaration.savesBody === true) {
      checkIdempotencyKey(exchange);
      return handle();
    }
    // Others take it with their bodies.
    if (declaration.method === 'get') return takeShare(exchange).then(handle);
    if (!hasKey) return handle();
    return answerOnce(exchange, holder.uid, idempotency, handle);
  };
}

/** Numbers, booleans and texts of the query by their declarations. A text is given as it was sent. */
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

/** The routes of endpoints on the parts of one service. `report` converts what handlers of the organization API throw. */
export function routesOf<Parts>(
  endpoints: ReadonlyArray<Endpoint<Parts>>,
  parts: Parts,
  report?: (error: unknown) => unknown,
): Route[] {
  return endpoints.map((each): Route => {
    const { route, path, method, errorShape, bodyBytesMax = smallBodyBytesMax } = each;
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
    };
  });
}
