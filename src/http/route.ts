/** The routes of a server, and the table of methods into which routes of equal paths are merged. */
import type { RateLimit } from './caller-limits.ts';
import type { Exchange, ParameterPositions } from './exchange.ts';
import type { ErrorShape, Reply } from './reply.ts';

/**
 * Answers a request. A throw or rejection becomes an error body. A synchronous reply saves a cache hit one turn of the
 * event loop.
 */
export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

/** A path and some of its methods; another route may add others. A path with GET also allows HEAD. */
export interface Route {
  /** For the log and the metrics. */
  name: string;
  /** With any number of `:parameters`, each a whole segment. */
  path: string;
  errorShape: ErrorShape;
  get?: Handler;
  post?: Handler;
  put?: Handler;
  patch?: Handler;
  delete?: Handler;
  /** Maximum bytes of a POST, PUT or PATCH body; 0, the default, accepts none. */
  bodyBytesMax?: number;
  /** Requests of one network that each method answers; further ones get 429. Absent: any number. */
  rate?: RateLimit;
}

/** One method of one path. */
export interface Endpoint {
  name: string;
  errorShape: ErrorShape;
  handler: Handler;
  bodyBytesMax: number;
  rate: RateLimit | undefined;
}

/** One path with all its methods. */
export interface PathEntry {
  path: string;
  /** Name and error shape of its first route, for responses that no endpoint gives. */
  name: string;
  errorShape: ErrorShape;
  positions: ParameterPositions;
  /** For GET and HEAD, the only methods of the hot path. */
  get: Endpoint | undefined;
  /** The other endpoints, by method in upper case. */
  others: ReadonlyMap<string, Endpoint>;
  /** For `Allow`. */
  allow: string;
}

/** In the order of `Allow`. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Merges the routes of equal paths; parameters are equal under any names. Throws if two routes have the same method for
 * one path.
 */
export function mergeRoutes(routes: readonly Route[]): PathEntry[] {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const shape = route.path.replaceAll(/:[^/]+/g, ':');
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [route]);
    else group.push(route);
  }
  return [...groups.values()].flatMap(mergeGroup);
}

function mergeGroup(routes: readonly Route[]): PathEntry[] {
  const [first] = routes;
  if (first === undefined) return [];
  const { path, name, errorShape } = first;
  const endpoints = new Map<string, Endpoint>();
  for (const route of routes) {
    for (const [method, endpoint] of endpointsOf(route)) {
      if (endpoints.has(method)) throw new Error(`Two routes bring ${method} ${path}.`);
      endpoints.set(method, endpoint);
    }
  }
  const get = endpoints.get('GET');
  const allow = methods
    .filter((method) => endpoints.has(method))
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  endpoints.delete('GET');
  const positions = positionsOf(path);
  return [{ path, name, errorShape, positions, get, others: endpoints, allow: allow.join(', ') }];
}

function endpointsOf(route: Route): Array<[method: string, endpoint: Endpoint]> {
  const { name, errorShape, bodyBytesMax = 0, rate } = route;
  const handlers: Array<[string, Handler | undefined, number]> = [
    ['GET', route.get, 0],
    ['POST', route.post, bodyBytesMax],
    ['PUT', route.put, bodyBytesMax],
    ['PATCH', route.patch, bodyBytesMax],
    ['DELETE', route.delete, 0],
  ];
  return handlers.flatMap(([method, handler, bytesMax]) =>
    handler === undefined
      ? []
      : [
          [method, { name, errorShape, handler, bodyBytesMax: bytesMax, rate }] as [
            string,
            Endpoint,
          ],
        ],
  );
}

function positionsOf(path: string): ParameterPositions {
  const segments = path
    .split('/')
    .flatMap((segment, index) => (segment.startsWith(':') ? [index] : []));
  return { start: path.indexOf(':'), segments };
}
