/** Shell commands and JavaScript that call an endpoint with the examples of its declaration. */
import type { NamedParameter, Operation } from '../declaration.ts';
import { exampleText } from '../declaration.ts';

/** Placeholder for the user's API key. */
export const keyPlaceholder = '<API_KEY>';

/** A curl command for a service at `base`. An upload is read from `file`. */
export function curlSample(operation: Operation, base: string): string {
  const { method, scope, body } = operation;
  const parts = ['curl'];
  if (method !== 'get') parts.push(`-X ${method.toUpperCase()}`);
  if (answersImage(operation)) parts.push(`-o ${imageName(operation)}`);
  if (scope !== undefined) parts.push(`-H 'X-API-Key: ${keyPlaceholder}'`);
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type !== undefined && media !== undefined) {
    parts.push(`-H 'Content-Type: ${type}'`);
    parts.push(
      type === 'application/json'
        ? `-d '${JSON.stringify(media.example ?? {}).replaceAll("'", String.raw`'\''`)}'`
        : '--data-binary @file',
    );
  }
  parts.push(`'${base}${sampleTarget(operation)}'`);
  return parts.join(' \\\n  ');
}

/** A call of the client in the variable `platen`; undefined for endpoints that are opened as links. */
export function clientSample({ clientCall }: Operation): string | undefined {
  return clientCall === undefined ? undefined : `${clientCall};`;
}

/** Path and query of an operation with the examples of its parameters. */
export function sampleTarget({ path, parameters }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleText(parameters.find((each) => each.name === name))),
  );
  const query = parameters.filter((each) => each.in === 'query').flatMap(queryPairs);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Encodes the example of a query parameter. Each property of an object is a separate parameter. */
function queryPairs({ name, example }: NamedParameter): string[] {
  if (example === undefined) return [];
  const pairs = typeof example === 'object' ? example : { [name]: example };
  return Object.entries(pairs).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  );
}

function answersImage({ answers }: Operation): boolean {
  return Object.keys(answers[200]?.content ?? {}).some((type) => type.startsWith('image/'));
}

function imageName({ parameters }: Operation): string {
  const uid = exampleText(parameters.find(({ name }) => name === 'uid'));
  return uid.includes('.') ? uid : `${uid === '' ? 'image' : uid}.png`;
}
