/** Shell and JavaScript that call an endpoint, with the description's own examples. */
import type { Operation, Parameter } from './operation.ts';
import { exampleText } from './operation.ts';

/** What a reader puts their own key in place of. */
export const keyPlaceholder = '<API_KEY>';

/** A curl command for a service at `base`; `file` is where a picture or an upload goes. */
export function curlSample(operation: Operation, base: string): string {
  const { method, scope, body } = operation;
  const parts = ['curl'];
  if (method !== 'get') parts.push(`-X ${method.toUpperCase()}`);
  if (answersPicture(operation)) parts.push(`-o ${pictureName(operation)}`);
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

/** A call of the client, in a module that has one as `platen`; undefined for what the client leaves to links. */
export function clientSample({ clientCall }: Operation): string | undefined {
  return clientCall === undefined ? undefined : `${clientCall};`;
}

/** Path and query of an operation with the examples of its parameters. */
export function sampleTarget({ path, parameters = [] }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleText(parameters.find((each) => each.name === name))),
  );
  const query = parameters.filter((each) => each.in === 'query').flatMap(queryPairs);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** An object's properties are parameters of their own. */
function queryPairs({ name, example }: Parameter): string[] {
  if (example === undefined) return [];
  const pairs = typeof example === 'object' ? example : { [name]: example };
  return Object.entries(pairs).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  );
}

function answersPicture({ answers }: Operation): boolean {
  return Object.keys(answers[200]?.content ?? {}).some((type) => type.startsWith('image/'));
}

function pictureName({ parameters = [] }: Operation): string {
  const uid = exampleText(parameters.find(({ name }) => name === 'uid'));
  return uid.includes('.') ? uid : `${uid === '' ? 'picture' : uid}.png`;
}
