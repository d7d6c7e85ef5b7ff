/** Makes a Postman collection (format 2.1) of the operations: Postman, Bruno, Insomnia and Hoppscotch import it. */
import type { Media, NamedParameter, Operation } from '../declaration.ts';
import { exampleText, tags } from '../declaration.ts';
import type { Tag } from '../declaration.ts';

/** The collection as plain data. Set its variables `baseUrl` and `apiKey` after the import. */
export function postmanCollection(operations: readonly Operation[]): object {
  return {
    info: {
      name: 'Platen',
      description: 'Every endpoint of Platen. Made from the API’s description.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000', type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: (Object.keys(tags) as Tag[]).map((tag) => ({
      name: tag,
      description: tags[tag],
      item: operations.filter((operation) => operation.tag === tag).map(requestItem),
    })),
  };
}

function requestItem(operation: Operation): object {
  const { summary, description, method, scope, parameters, body } = operation;
  const [type, media] = Object.entries(body?.content ?? {}).at(-1) ?? [];
  const headers = parameters.filter(
    (each) => each.in === 'header' && (scope === undefined || each.name !== 'X-API-Key'),
  );
  return {
    name: summary,
    request: {
      description,
      method: method.toUpperCase(),
      ...(scope === undefined ? { auth: { type: 'noauth' } } : {}),
      header: [
        ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }]),
        ...headers.map(({ name, description: what }) => ({
          key: name,
          value: name === 'X-API-Key' ? '{{apiKey}}' : '',
          description: what,
          disabled: name !== 'X-API-Key',
        })),
      ],
      ...(media === undefined ? {} : { body: bodyOf(type ?? '', media) }),
      url: urlOf(operation),
    },
  };
}

function bodyOf(type: string, { example }: Media): object {
  if (type !== 'application/json') return { mode: 'file', file: {} };
  const raw = JSON.stringify(example ?? {}, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

function urlOf({ path, parameters }: Operation): object {
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = parameters.filter((each) => each.in === 'query').flatMap(queryEntries);
  return {
    raw: `{{baseUrl}}/${segments}`,
    host: ['{{baseUrl}}'],
    path: segments.split('/'),
    ...(query.length === 0 ? {} : { query }),
    variable: parameters
      .filter((each) => each.in === 'path')
      .map((each) => ({
        key: each.name,
        value: exampleText(each),
        description: each.description,
      })),
  };
}

/** A parameter without an example is disabled, for users to enable. */
function queryEntries(parameter: NamedParameter): object[] {
  const { name, example, description } = parameter;
  if (typeof example === 'object') {
    return Object.entries(example).map(([key, value]) => ({ key, value, description }));
  }
  const value = exampleText(parameter);
  return [{ key: name, value, description, disabled: example === undefined }];
}
