/** Makes requests that no browser sends: odd queries, broken HTTP, and documents that are almost templates. */
import * as fc from 'fast-check';
import { proxyHeader } from '../fixtures/proxy-header.ts';
import { isCutInVersion, silenceReason } from './classify.ts';

/** One fuzzed request. */
export interface FuzzCase {
  /** Parts that are written one after the other, as latin1. */
  parts: string[];
  /** Answers that must come, because what is sent is whole and well formed; 0: the connection may end without one. */
  answers: number;
  /** Why there may be none; undefined where one must come. */
  silence?: string | undefined;
}

const uids = fc.constantFrom('hello', 'hello.png', 'hello.jpg', 'hello.webp', 'quote', 'nobody');
const names = fc.constantFrom(
  'name',
  'quote',
  'author',
  '_format',
  '_scale',
  '_quality',
  '_version',
  '_expires',
  '_signature',
  '__proto__',
  'constructor',
  'amp;name',
  'utm_source',
  '',
);
const fragments = fc.constantFrom(
  '%',
  '%0',
  '%00',
  '%ff',
  '%C0%AF',
  '%ED%A0%80',
  '%0d%0aSet-Cookie:%20a=b',
  '+',
  '&amp;',
  '=',
  '==',
  '&&',
  '?',
  ';',
  '/',
  '..%2f..%2f',
  '{{name}}',
  '*|FNAME|*',
  'https://127.0.0.1/a.png',
  'data:image/png;base64,AAAA',
  '%F0%9F%98%80',
  '%E2%80%8D',
  '%D7%A9',
  '1e999',
  '-1',
  '2',
  'png',
  'a'.repeat(300),
);
/** Bytes that may stand in a request line: a blank or a control character ends it. */
const urlBytes = fc.string({
  unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCodePoint(code)),
  maxLength: 12,
});
const piece = fc.oneof({ weight: 3, arbitrary: fragments }, urlBytes);
const queryValue = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(names, queryValue).map(([name, value]) => `${name}=${value}`) },
  queryValue,
);
const query = fc.array(segment, { maxLength: 6 }).map((segments) => segments.join('&'));
const paths = fc.oneof(
  { weight: 6, arbitrary: uids.map((uid) => `/v1/render/${uid}`) },
  fc.constantFrom(
    '/',
    '/healthz',
    '/v1/templates',
    '/v1/templates/hello',
    '/v1/validate-organization',
    '/v1/render/../../etc/passwd',
    '/v1/render/%2e%2e%2f',
    '//',
    '/v1/render/',
    '/openapi.json',
  ),
  urlBytes.map((bytes) => `/v1/render/${bytes}`),
);
const target = fc
  .tuple(paths, query)
  .map(([path, text]) => (text === '' ? path : `${path}?${text}`));
const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  fc.constantFrom('HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'get'),
);

/** A whole request for a link or an endpoint, with a query of any bytes, and sometimes with a method that it does not take. */
export const oddQuery: fc.Arbitrary<FuzzCase> = fc
  .tuple(fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'HEAD', 'DELETE'), target)
  .map(([method, text]) => ({ parts: [request(method, text, [], '')], answers: 1 }));

const headers = fc.constantFrom(
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 00005',
  'Content-Length: -1',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: 99999999999999999999',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding : chunked',
  'transfer-encoding: CHUNKED',
  'Expect: 100-continue',
  'Connection: close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Host: a, b',
  'If-None-Match: *',
  'If-None-Match: "',
  'X-API-Key: \u00ff',
  ' folded: line',
  'no colon',
  ': no name',
  'X-Nul: a\u0000b',
  'X-Cr: a\rb',
);
const bodies = fc.constantFrom(
  '',
  'hello',
  '{}',
  '5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhel',
  'ffffffffffffffff\r\n',
  '-5\r\nhello\r\n0\r\n\r\n',
  '5;ext=1\r\nhello\r\n0\r\nTrailer: a\r\n\r\n',
  '0\r\n\r\nGET /v1/templates HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  '\u0000'.repeat(40),
);
const oneRequest = fc
  .tuple(methods, target, fc.array(headers, { maxLength: 4 }), bodies)
  .map(([method, text, lines, body]) => request(method, text, lines, body));

/** What the parser takes for a header of the PROXY protocol: whole, empty, cut off, or as long as one can be. */
const proxyHeaders = [
  proxyHeader(Buffer.alloc(12, 'A')),
  proxyHeader(Buffer.of()),
  proxyHeader(Buffer.from('GET /v1/templates HTTP/1.1\r\nHost: a\r\n\r\n')),
  proxyHeader(Buffer.alloc(5), 12),
  proxyHeader(Buffer.of(), 65_535),
  proxyHeader(Buffer.alloc(60_000)),
];

/** A change to a run of bytes: something put in, or a piece cut out, at some thousandth of its length. */
const change = fc.tuple(
  fc.nat(999),
  fc.oneof(
    fc.constantFrom('\u0000', '\r', '\n', '\r\n', ' ', '\t', ':', '\u00ff', 'HTTP/1.1', '\r\n\r\n'),
    fc.constantFrom(...proxyHeaders),
    fc.nat(8),
  ),
);

/** One to three requests behind one another, with headers that disagree, changed in positions and sent in pieces. */
export const brokenBytes: fc.Arbitrary<FuzzCase> = fc
  .tuple(
    fc.array(oneRequest, { minLength: 1, maxLength: 3 }),
    fc.array(change, { maxLength: 3 }),
    fc.array(fc.nat(999), { maxLength: 2 }),
  )
  .map(([requests, changes, cuts]) => {
    let bytes = requests.join('');
    for (const [position, what] of changes) {
      const at = Math.floor((position * bytes.length) / 1000);
      bytes =
        typeof what === 'string'
          ? bytes.slice(0, at) + what + bytes.slice(at)
          : bytes.slice(0, at) + bytes.slice(at + what);
    }
    const parts = split(bytes, cuts);
    const silence = silenceReason(parts);
    return { parts, answers: silence === undefined ? 1 : 0, silence };
  });

/**
 * Requests behind one another with short answers from memory, which wait for no share of the thread: each must be
 * answered, in whatever pieces they come.
 */
export const pipelines: fc.Arbitrary<FuzzCase> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.constant('/healthz'),
        segment.map((text) => `/healthz?${text}`),
      ),
      { minLength: 2, maxLength: 6 },
    ),
    fc.array(fc.nat(999), { maxLength: 3 }),
  )
  .map(([targets, cuts]) => {
    const bytes = targets.map((text) => request('GET', text, [], '')).join('');
    const parts = split(bytes, cuts);
    return isCutInVersion(parts)
      ? { parts: [bytes], answers: targets.length }
      : { parts, answers: targets.length };
  });

/** A template of some layers, as text, which `documents` breaks. */
const template = JSON.stringify({
  format: 1,
  name: 'Fuzz',
  width: 60,
  height: 40,
  variables: [
    { name: 'name', type: 'text', value: 'friend', maxLength: 40 },
    { name: 'color', type: 'color', value: '#0a7' },
  ],
  layers: [
    { id: 'a', type: 'rect', x: 0, y: 0, width: 30, height: 20, fill: '{{color}}' },
    { id: 'b', type: 'text', x: 0, y: 0, width: 60, height: 40, text: '{{name}}', fontSize: 12 },
    { id: 'c', type: 'group', x: 0, y: 0, width: 9, height: 9, layers: [] },
  ],
});
const jsonValue = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '1e999',
    '-0',
    '1e-320',
    '99999999999',
    '"{{name}}"',
    '"{{{{"',
    '"\\u0000"',
    '"\\ud800"',
    '{"__proto__":{"a":1}}',
    '{"constructor":1}',
    '[[[[[[[[[[[[[]]]]]]]]]]]]]',
    `"${'a'.repeat(5000)}"`,
    'null',
  ),
);

/** A document with some of its values, and sometimes of its bytes, replaced. */
const documents = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(999), jsonValue), { maxLength: 3 }),
    fc.option(fc.nat(999), { freq: 8 }),
  )
  .map(([values, cut]) => {
    let text = template;
    for (const [position, value] of values) {
      const found = [...text.matchAll(/(?<=":)("[^"]*"|-?\d+|\[|\{)/g)];
      const match = found[Math.floor((position * found.length) / 1000)];
      if (match?.[0] === '[' || match?.[0] === '{' || match === undefined) continue;
      text = text.slice(0, match.index) + value + text.slice(match.index + match[0].length);
    }
    return cut === null ? text : text.slice(0, Math.floor((cut * text.length) / 1000));
  });

/** A document, in what asks for a preview of it or saves it as a draft. */
export function oddDocument(key: string): fc.Arbitrary<FuzzCase> {
  const contentTypes = fc.constantFrom('application/json', 'application/json', 'text/plain', '');
  const values = fc.dictionary(fc.constantFrom('name', 'color', 'x'), fc.string());
  return fc
    .tuple(documents, values, contentTypes, fc.boolean(), fc.nat(4))
    .map(([document, given, contentType, isPreview, index]) => {
      const body = isPreview
        ? `{"template":${document},"values":${JSON.stringify(given)}}`
        : document;
      const bytes = Buffer.from(body).toString('latin1');
      const lines = [
        `X-API-Key: ${key}`,
        `Content-Length: ${bytes.length}`,
        ...(contentType === '' ? [] : [`Content-Type: ${contentType}`]),
        ...(index === 0 ? ['Accept: application/json'] : []),
      ];
      const [method, path] = isPreview ? ['POST', '/v1/preview'] : ['PUT', '/v1/templates/quote'];
      return { parts: [request(method ?? '', path ?? '', lines, bytes)], answers: 1 };
    });
}

function request(method: string, text: string, lines: readonly string[], body: string): string {
  return [`${method} ${text} HTTP/1.1`, 'Host: a', ...lines, '', body].join('\r\n');
}

function split(bytes: string, cuts: readonly number[]): string[] {
  const positions = cuts.map((cut) => Math.floor((cut * bytes.length) / 1000));
  const edges = [0, ...positions.toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
}
