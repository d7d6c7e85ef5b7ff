import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import type { TSchema } from 'typebox';
import { withoutNotes } from '#language/schema/notes.ts';
import { createValidator } from '#language/schema/validator.ts';
import type { Operation } from '../../src/api/declaration.ts';
import { endpoints } from '../../src/app.ts';
import { postmanCollection } from '../../src/api/openapi/collection.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { curlSample } from '../../src/api/openapi/samples.ts';

t.test('the description is valid OpenAPI 3.1, as an independent validator sees it', async (t) => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    openApiDocument(endpoints, 'http://localhost:3000'),
  );
  t.equal(JSON.stringify(errors), undefined);
  t.ok(valid);
  t.equal(validator.version, '3.1');
});

t.test('every reference leads to a component, and every id is used once', async (t) => {
  const document = openApiDocument(endpoints, 'https://example.com/images');
  t.same(document['servers'], [{ url: 'https://example.com/images' }]);
  const components = document['components'] as Record<string, object>;
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, target = '']) => target,
  );
  t.ok(targets.length > 100);
  const isThere = (target: string): boolean => {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(target) ?? [];
    return name in (components[kind] ?? {});
  };
  t.same(
    [...new Set(targets)].filter((target) => !isThere(target)),
    [],
  );
  for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
    t.same(withoutNotes(schema), schema, `${name} has keywords of JSON Schema alone`);
  }
  const ids = endpoints.map(({ id }) => id);
  t.equal(new Set(ids).size, ids.length);
});

interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Array<{ name: string; description: string; schema: Schema }>;
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

t.test('a tool that imports the description has a name and a type for each field', async (t) => {
  const { paths, components, servers } = openApiDocument(endpoints, 'https://example.com') as {
    servers: Array<{ url: string }>;
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema>; securitySchemes: object };
  };
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : resolve(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, summary, description, parameters = [], requestBody } of operations) {
    t.match(operationId, /^[a-z][A-Za-z0-9]{1,63}$/);
    t.ok(summary !== '' && summary.length <= 60 && description !== '', operationId);
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    const body = resolve(schema ?? { type: 'object' });
    // Rows of a list are objects, too.
    const isList = requestBody?.content['text/csv'] !== undefined;
    t.equal(body.type, isList ? 'array' : 'object', `${operationId} takes named fields`);
    t.ok(requestBody === undefined || schema === undefined || example !== undefined, operationId);
    const fields = [
      ...parameters.map(({ name, schema: of, ...rest }) => [name, { ...rest, ...of }] as const),
      ...Object.entries(body.properties ?? {}),
    ];
    for (const [name, field] of fields) {
      const { type, anyOf, description: text = field.description } = resolve(field);
      t.ok(type !== undefined || anyOf !== undefined, `${operationId}: type of ${name}`);
      t.ok(text, `${operationId}: description of ${name}`);
    }
  }
  const names = operations.map(({ summary }) => summary);
  t.equal(new Set(names).size, names.length, 'no two calls have one name in a list');
  t.same(servers, [{ url: 'https://example.com' }]);
  t.match(components.securitySchemes, { apiKey: { type: 'apiKey', in: 'header' } });
  // The template language has properties of these names.
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.includes('Template'));
  const text = JSON.stringify([paths, schemas]);
  t.notMatch(text, /"(?:oneOf|allOf|not|discriminator|\$defs)":|"type":\[|"\$ref":"[^#]/);
});

t.test('each answer of JSON but whole files has an example that its schema takes', async (t) => {
  const withoutExample: string[] = [];
  for (const { id, answers } of endpoints as readonly Operation[]) {
    for (const [status, { content }] of Object.entries(answers)) {
      const media = content?.['application/json'];
      if (media === undefined) continue;
      if (media.example === undefined) withoutExample.push(id);
      else {
        const validator = createValidator(media.schema as TSchema);
        const errors = validator.Errors(media.example).map(({ instancePath }) => instancePath);
        t.same(errors, [], `${id} ${status}`);
      }
    }
  }
  t.same(withoutExample, ['openapi', 'templateSchema', 'studioFile']);
});

t.test('each endpoint names its errors and shows how it is called', async (t) => {
  for (const operation of endpoints) {
    const { id, scope, answers, errors = {}, errorShape, path, body } = operation;
    t.ok(
      Object.keys(answers).some((status) => status.startsWith('2')),
      `${id} can succeed`,
    );
    t.equal(errorShape === 'organization', /^\/v1\/(?!render)|^\/studio\/fonts$/.test(path), id);
    t.equal(
      body === undefined || ['write', 'render', 'access'].includes(scope ?? '') || id === 'preview',
      true,
      id,
    );
    t.ok(!path.includes('{') || errors[404] !== undefined, `${id} says what is not found`);
    const curl = curlSample(operation, 'http://x');
    t.match(curl, /'http:\/\/x\/[^'{]*'$/, id);
    t.equal(curl.includes('X-API-Key: <API_KEY>'), scope !== undefined, id);
  }
});

t.test('the collection has each endpoint once, with the key if it needs one', async (t) => {
  const { item, info } = postmanCollection(endpoints) as {
    info: { schema: string };
    item: Array<{
      item: Array<{
        name: string;
        request: { method: string; url: { raw: string }; auth?: object };
      }>;
    }>;
  };
  t.match(info.schema, '/collection/v2.1.0/');
  const requests = item.flatMap((folder) => folder.item);
  t.same(
    requests.map(({ request }) => `${request.method} ${request.url.raw}`).toSorted(),
    endpoints
      .map(({ method, path }) => {
        const target = path.replaceAll(/\{(\w+)\}/g, ':$1');
        return `${method.toUpperCase()} {{baseUrl}}${target}`;
      })
      .toSorted(),
  );
  const open = requests.filter(({ request }) => request.auth !== undefined);
  t.equal(open.length, endpoints.filter(({ scope }) => scope === undefined).length);
});
