/** The description of the API beside what the service really answers: methods, long bodies, a full disk. */
import { join } from 'node:path';
import t from 'tap';
import { Check } from 'typebox/schema';
import { takesBody } from '../../src/api/declaration.ts';
import type { Media, Operation, Parameter } from '../../src/api/declaration.ts';
import { endpoints } from '../../src/app.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import * as errors from '../../src/api/shared-schemas.ts';
import { failuresPerNetworkMax } from '../../src/http/caller-limits.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { createShortLinkStore } from '../../src/store/short-link-store.ts';
import { fillDataDirectory, testOrganization } from './published.ts';
import type { Answer } from './request.ts';
import { request } from './request.ts';
import { demoKey, startService } from './service.ts';

interface Described {
  responses: Record<string, { $ref?: string; content?: object }>;
}

const operations: readonly Operation[] = endpoints;
const description = openApiDocument(endpoints, 'http://localhost:3000');
const paths = description['paths'] as Record<string, Record<string, Described>>;
const { responses } = description['components'] as { responses: Record<string, object> };

/** The response that is described for a status; undefined where none is. */
function describedAs(
  path: string,
  method: string,
  status: number,
): { content?: object; headers?: object } | undefined {
  const response = paths[path]?.[method]?.responses[status];
  const name = response?.$ref?.replace('#/components/responses/', '');
  return name === undefined ? response : responses[name];
}

/** The address of an operation, with the examples of its parameters. */
function targetOf({ path, parameters }: Operation): string {
  const exampleOf = ({ example }: Parameter): string =>
    typeof example === 'string' ? example : 'x';
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(parameter === undefined ? 'x' : exampleOf(parameter));
  });
  const query = parameters
    .filter((each) => each.in === 'query' && each.required === true)
    .map((each) => `${each.name}=${encodeURIComponent(exampleOf(each))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Whether an error has the body that its operation describes. */
function hasShape({ errorShape }: Operation, answer: Answer): boolean {
  const schema = errorShape === 'render' ? errors.RenderError : errors.OrganizationError;
  return answer.headers['content-type'] === 'application/json' && Check(schema, answer.json());
}

const gets = operations.filter(({ method }) => method === 'get');
const withBody = operations.filter(takesBody);

const link = { uid: 'closed', linkJson: '{"parameters":[]}', expires: 9_999_999_999 };
let token: string | undefined;
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ db, publish }) => {
  publish('closed', { linkAuth: 'key' });
  token = createShortLinkStore(db).createLink(testOrganization.uid, link);
});

t.test('what the service answers is described', async (t) => {
  const service = await startService(t, { dataDirectory });
  const headers = { 'X-API-Key': demoKey };
  const ask = (method: string, target: string, more: object = {}): Promise<Answer> =>
    request(service.port, target, { method, headers, ...more });

  t.test('HEAD has the status and the headers of GET', async (t) => {
    const changing = new Set(['date', 'x-request-id', 'server-timing']);
    for (const operation of gets) {
      const { path } = operation;
      const target = targetOf(operation);
      // Drawn before, so that both come from the cache.
      await ask('GET', target);
      const [get, head] = [await ask('GET', target), await ask('HEAD', target)];
      t.equal(head.status, get.status, path);
      t.equal(head.body.length, 0, path);
      for (const [name, value] of Object.entries(get.headers)) {
        if (!changing.has(name)) t.same(head.headers[name], value, `${path} ${name}`);
      }
      t.ok(describedAs(path, 'get', get.status), `GET ${path} ${get.status}`);
      const described = describedAs(path, 'head', head.status);
      t.ok(described, `HEAD ${path} ${head.status}`);
      t.equal(described?.content, undefined, 'without a body');
    }
    const heads = Object.values(paths).filter((path) => 'head' in path);
    t.equal(heads.length, gets.length);
  });

  t.test('another method is 405 with those that there are', async (t) => {
    for (const operation of operations) {
      const { path, method } = operation;
      const answer = await ask('PROPFIND', targetOf(operation));
      t.equal(answer.status, 405, path);
      t.ok(hasShape(operation, answer), path);
      const allowed = operations
        .filter((each) => each.path === path)
        .flatMap(({ method: each }) => (each === 'get' ? ['GET', 'HEAD'] : [each.toUpperCase()]));
      t.same(answer.headers.allow?.split(', ').toSorted(), allowed.toSorted(), path);
      t.match(describedAs(path, method, 405)?.headers, { Allow: Object });
    }
  });

  t.test('a body that is longer than its address takes is 413', async (t) => {
    const body = ' '.repeat(10 * 1024 * 1024 + 1);
    for (const operation of withBody) {
      const isTooLong = (operation.bodyBytesMax ?? 0) < body.length;
      const answer = await ask(operation.method.toUpperCase(), targetOf(operation), { body });
      // A list may be larger, and is refused for what is in it.
      if (isTooLong) t.equal(answer.status, 413, operation.id);
      else t.ok([400, 413].includes(answer.status), operation.id);
      t.ok(hasShape(operation, answer), operation.id);
      t.ok(describedAs(operation.path, operation.method, 413), operation.id);
    }
    const others = operations.filter((operation) => !withBody.includes(operation));
    for (const { path, method, id } of others) {
      t.equal(describedAs(path, method, 413), undefined, id);
    }
  });

  t.test('408, for a body that stalls, is described where there is one', async (t) => {
    for (const operation of operations) {
      const isDescribed = describedAs(operation.path, operation.method, 408) !== undefined;
      t.equal(isDescribed, withBody.includes(operation), operation.id);
    }
  });

  t.test('too many wrong keys are 429 wherever a key is asked for, and nowhere else', async (t) => {
    const closed: Record<string, string> = {
      render: '/v1/render/closed',
      shortLink: `/r/${token}`,
    };
    const wrong = { headers: { 'X-API-Key': 'wrong' } };
    for (let index = 0; index < failuresPerNetworkMax; index += 1) {
      await ask('GET', '/v1/validate-organization', wrong);
    }
    for (const operation of operations) {
      const { id, path, method } = operation;
      const answer = await ask(method.toUpperCase(), closed[id] ?? targetOf(operation), wrong);
      const described = describedAs(path, method, 429);
      const isExpected =
        described !== undefined && !(operation.scope === undefined && operation.rate);
      t.equal(answer.status === 429, isExpected, `${id} ${answer.status}`);
      if (!isExpected) continue;
      t.ok(hasShape(operation, answer), id);
      t.match(answer.headers['retry-after'], /^[1-9]\d*$/, id);
      t.match(described.headers, { 'Retry-After': Object }, id);
    }
  });
});

t.test('a change on a disk that takes none is 507, wherever it is described', async (t) => {
  const pool = await startPool(t);
  const { call, service } = await startOrganizationApi(t, pool);
  service.publish('hello');
  const jsonOf = (content: Readonly<Record<string, Media>> = {}): unknown =>
    content['application/json']?.example ?? {};
  // From now on SQLite refuses every write, as on a disk that was remounted.
  service.stores.db.pragma('query_only = ON');
  const refused: string[] = [];
  for (const operation of operations) {
    if (operation.scope !== 'write') continue;
    const { id, path, method, body } = operation;
    const answer = await call(method.toUpperCase(), targetOf(operation), {
      body: method === 'delete' ? undefined : body && jsonOf(body.content),
    });
    t.ok(describedAs(path, method, answer.status), `${id} ${answer.status}`);
    if (answer.status !== 507) continue;
    refused.push(id);
    t.ok(Check(errors.OrganizationError, answer.body), id);
    t.equal(answer.headers.get('retry-after'), '60');
    t.match(describedAs(path, method, 507)?.headers, { 'Retry-After': Object });
  }
  for (const id of ['createTemplate', 'updateTemplate', 'publishTemplate', 'archiveTemplate']) {
    t.ok(refused.includes(id), id);
  }
});
