/** `GET /docs`: the API reference, made of the declarations. Only its forms, which call the API, need scripts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonSchema } from '#language/schema/document.ts';
import type { Answer, NamedParameter, Operation, Tag } from '../api/declaration.ts';
import { tags } from '../api/declaration.ts';
import { endpoint } from '../api/endpoint.ts';
import { clientSample, curlSample } from '../api/openapi/samples.ts';
import { addressedFile } from '../api/request/public-url.ts';
import { inShortTurn } from '../foundation/deadline.ts';
import { readDescription } from './descriptions.ts';
import { barHtml, escapeHtml, htmlType, pageHtml } from './html.ts';
import { fileReply, pageShared, textAnswer } from '../api/request/page-file.ts';
import type { DescriptionParts } from './tool-files.ts';

/** The page for the address of the request. */
export const docs = endpoint(
  {
    ...pageShared,
    id: 'docs',
    route: 'docs',
    path: '/docs',
    summary: 'Reference',
    description: 'This description for people.',
    answers: { 200: textAnswer('Reference', 'text/html') },
  },
  ({ publicUrl, operations }: DescriptionParts) => {
    const pageAt = addressedFile(htmlType, (base) => docsHtml(base, operations), escapeHtml);
    return async (exchange) => fileReply(exchange, await pageAt(publicUrl(exchange)));
  },
);

/** Makes the page in some turns of the event loop: it takes 80 ms. */
async function docsHtml(base: string, operations: readonly Operation[]): Promise<string> {
  const document = JSON.parse(readDescription('openapi.json')) as JsonSchema;
  const groups = (Object.keys(tags) as Tag[]).map((tag) => ({
    tag,
    list: operations.filter((operation) => operation.tag === tag),
  }));
  const info = document['info'] as { version: string; description: string };
  const links = [
    ['', 'First steps'],
    ['studio', 'Studio'],
    ['docs/first-template', 'Guides'],
    ['docs', 'API'],
    ['openapi.json', 'openapi.json'],
  ] as const;
  const reference: string[] = [];
  for (const { tag, list } of groups) {
    await nextTurn();
    const articles: string[] = [];
    for (const operation of list)
      articles.push(await inShortTurn(() => operationHtml(operation, base)));
    reference.push(groupHtml(tag, articles));
  }
  await nextTurn();
  return pageHtml({
    title: 'Platen – API reference',
    root: '',
    head: [
      '<link rel="stylesheet" href="pages/docs.css">',
      '<script type="module" src="pages/docs.js"></script>',
    ],
    body: `<a class="skip" href="#start">To the reference</a>
${barHtml('', links, 'docs')}
<div class="columns">
<nav class="side" aria-label="Endpoints">${groups.map(({ tag, list }) => sideHtml(tag, list)).join('')}<p><a href="#schemas">Schemas</a></p></nav>
<main id="start">
<section class="intro"><h1>API reference</h1>
<p class="soft">${inlineHtml(info.description)}</p>
<p class="soft">Address of this service: <code>${escapeHtml(base)}</code>, version ${escapeHtml(info.version)}.</p>
${clientHtml(base)}
<form class="key" id="key-form" hidden><label for="key">API key for “Try it”<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="stays in this page’s memory, is stored nowhere"></label></form>
</section>
${reference.join('\n')}
${schemasHtml(document)}
</main>
</div>`,
  });
}

function sideHtml(tag: Tag, list: readonly Operation[]): string {
  const links = list.map(
    ({ id, summary }) => `<li><a href="#${id}">${escapeHtml(summary)}</a></li>`,
  );
  return `<h2>${tag}</h2><ul>${links.join('')}</ul>`;
}

function clientHtml(base: string): string {
  const code = `import { PlatenClient, renderUrl } from '${base}/client.js';

const link = renderUrl('hello', { name: 'Amanda' }, { baseUrl: '${base}' });
const platen = new PlatenClient({ baseUrl: '${base}', apiKey: '<API_KEY>' });`;
  return `<h2>JavaScript client</h2><p class="soft">One module without dependencies, for Node (<code>platen/client</code>), browsers and edge runtimes. A key belongs on a server, never in a page that others see.</p><pre tabindex="0" aria-label="JavaScript client"><code>${escapeHtml(code)}</code></pre>`;
}

function groupHtml(tag: Tag, articles: readonly string[]): string {
  return `<section class="group" aria-labelledby="tag-${tag}"><h2 id="tag-${tag}">${tag}</h2><p class="soft">${escapeHtml(tags[tag])}</p>${articles.join('\n')}</section>`;
}

function operationHtml(operation: Operation, base: string): string {
  const { id, method, path, summary, description, scope, parameters, body } = operation;
  const need =
    scope === undefined
      ? '<span class="badge">no key</span>'
      : `<span class="badge">key: ${scope}</span>`;
  const shown = parameters.length === 0 ? '' : parametersHtml(parameters);
  return `<article class="operation" id="${id}" data-operation="${id}">
<h3><a href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> ${need}</p>
<div class="two"><div class="text"><p>${inlineHtml(description)}</p>
${shown}${body === undefined ? '' : `<h4>Body</h4><p>${inlineHtml(body.description)}</p>${mediaHtml(body.content)}`}
<h4>Answers</h4>${answersHtml(operation)}</div>
<div class="code">${samplesHtml(operation, base)}</div></div>
</article>`;
}

function parametersHtml(parameters: readonly NamedParameter[]): string {
  const rows = parameters.map(
    ({ name, in: location, description, schema, required }) =>
      `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${typeHtml(schema)}</span> <span class="optional">${location}${required === true ? '' : ', optional'}</span><p>${inlineHtml(description)}</p></li>`,
  );
  return `<h4>Parameters</h4><ul class="properties">${rows.join('')}</ul>`;
}

function mediaHtml(content: Answer['content']): string {
  const entries = Object.entries(content ?? {});
  const types = entries.map(([type]) => `<code>${escapeHtml(type)}</code>`).join(' ');
  const [, media] = entries.find(([type]) => type === 'application/json') ?? [];
  return `<p class="media">${types}</p>${media === undefined ? '' : schemaHtml(media.schema)}`;
}

function answersHtml({ answers, errors = {}, scope, errorShape }: Operation): string {
  const good = Object.entries(answers).map(
    ([status, { description, content, headers }]) =>
      `<li><span class="status">${status}</span> ${inlineHtml(description)}${content === undefined ? '' : mediaHtml(content)}${headers === undefined ? '' : headersHtml(headers)}</li>`,
  );
  const shape = errorShape === 'render' ? 'RenderError' : 'OrganizationError';
  const bad = Object.entries(errors).map(
    ([status, when]) => `<li><span class="status">${status}</span> ${inlineHtml(when)}</li>`,
  );
  const keys = scope === undefined ? '' : ' 401, 403 and 429 when the key does not do.';
  const errorsHtml =
    bad.length > 0 || scope !== undefined
      ? `<p class="soft">Errors are a <a href="#schema-${shape}">${shape}</a>.${keys}</p>`
      : '';
  return `<ul class="answers">${[...good, ...bad].join('')}</ul>${errorsHtml}`;
}

function headersHtml(headers: NonNullable<Answer['headers']>): string {
  const rows = Object.entries(headers).map(
    ([name, { description }]) => `<li><code>${name}</code> ${inlineHtml(description)}</li>`,
  );
  return `<details><summary>Headers</summary><ul>${rows.join('')}</ul></details>`;
}

function samplesHtml(operation: Operation, base: string): string {
  const { id, answers } = operation;
  const client = clientSample(operation);
  const example = Object.values(answers)
    .map(({ content }) => content?.['application/json']?.example)
    .find((each) => each !== undefined);
  const blocks: Array<[title: string, text: string]> = [
    ['curl', curlSample(operation, base)],
    ...(client === undefined ? [] : [['JavaScript', client] as [string, string]]),
    ...(example === undefined
      ? []
      : [['Answer', JSON.stringify(example, null, 2)] as [string, string]]),
  ];
  return blocks
    .map(([title, text]) => {
      const name = `${id}-${title.toLowerCase()}`;
      return `<div class="sample"><p class="title">${title}<button type="button" data-copy="${name}">Copy<span class="quiet"> ${title}</span></button></p><pre tabindex="0" aria-label="${title}"><code id="${name}">${escapeHtml(text)}</code></pre></div>`;
    })
    .join('');
}

function schemasHtml(document: JsonSchema): string {
  const { schemas } = document['components'] as { schemas: Record<string, JsonSchema> };
  const shown = Object.entries(schemas).filter(([name]) => !name.startsWith('Template.'));
  const articles = shown.map(([name, schema]) => {
    const { description } = schema;
    const text = typeof description === 'string' ? `<p>${inlineHtml(description)}</p>` : '';
    return `<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>${text}${schemaHtml(schema)}</article>`;
  });
  return `<section class="group schemas" id="schemas"><h2>Schemas</h2><p class="soft">What stands in bodies. The template language is a schema of its own: <a href="template.schema.json">template.schema.json</a>.</p>${articles.join('')}</section>`;
}

// JSON Schemas as HTML: each property with its type, bounds and description.

type Node = Readonly<Record<string, unknown>>;

/** Levels of properties on the page; openapi.json has deeper ones. */
const depthMax = 4;

/** A list of an object's properties, or the type of another schema. */
function schemaHtml(schema: unknown, depth = 0): string {
  const node = asNode(schema);
  const reference = referenceName(node);
  if (reference !== undefined) return `<p class="type">${referenceHtml(reference)}</p>`;
  const inner = node['type'] === 'array' ? asNode(node['items']) : node;
  const properties = Object.entries(asNode(inner['properties']));
  if (properties.length === 0 || depth >= depthMax) return `<p class="type">${typeHtml(node)}</p>`;
  const required = new Set(Array.isArray(inner['required']) ? inner['required'] : []);
  const rows = properties.map(([name, child]) =>
    propertyHtml(name, asNode(child), required.has(name), depth),
  );
  const list = node['type'] === 'array' ? '<p class="type">a list of</p>' : '';
  return `${list}<ul class="properties">${rows.join('')}</ul>`;
}

function propertyHtml(name: string, node: Node, isRequired: boolean, depth: number): string {
  const need = isRequired ? '' : ' <span class="optional">optional</span>';
  const nested = nestedNode(node);
  const inside = nested === undefined || depth + 1 >= depthMax ? '' : schemaHtml(nested, depth + 1);
  return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${typeHtml(node)}</span>${need}${describe(node)}${inside}</li>`;
}

/** An object or a list of objects that has properties of its own to show. */
function nestedNode(node: Node): Node | undefined {
  const inner = node['type'] === 'array' ? asNode(node['items']) : node;
  return inner['properties'] === undefined ? undefined : inner;
}

function describe(node: Node): string {
  const { description, default: standard } = node;
  const parts = [
    ...(typeof description === 'string' ? [inlineHtml(description)] : []),
    ...(standard === undefined
      ? []
      : [`default <code>${escapeHtml(JSON.stringify(standard))}</code>`]),
  ];
  return parts.length === 0 ? '' : `<p>${parts.join('; ')}</p>`;
}

/** The type of a schema in a few words. */
function typeHtml(schema: unknown): string {
  const node = asNode(schema);
  const reference = referenceName(node);
  if (reference !== undefined) return referenceHtml(reference);
  const { type, format, minimum, maximum } = node;
  const choices = node['enum'];
  if (Array.isArray(choices)) return choices.map((each) => codeHtml(each)).join(' | ');
  if (node['const'] !== undefined) return codeHtml(node['const']);
  const either = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(either)) return [...new Set(either.map(typeHtml))].join(' or ');
  if (type === 'array') return `list of ${typeHtml(node['items'])}`;
  const word = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  const bounds = [minimum, maximum].map((bound) => (typeof bound === 'number' ? bound : ''));
  const range = bounds.join('') === '' ? '' : ` ${bounds.join('…')}`;
  return escapeHtml(`${word}${typeof format === 'string' ? ` (${format})` : ''}${range}`);
}

/** Text with `code` in back quotes. */
function inlineHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function referenceHtml(name: string): string {
  // Parts of the template language are on another page.
  const isPart = name.startsWith('Template.');
  return isPart
    ? escapeHtml(name)
    : `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function referenceName({ $ref }: Node): string | undefined {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
}

function codeHtml(value: unknown): string {
  return `<code>${escapeHtml(String(value))}</code>`;
}

function asNode(value: unknown): Node {
  return (typeof value === 'object' && value !== null ? value : {}) as Node;
}
