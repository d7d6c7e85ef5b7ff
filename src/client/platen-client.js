/**
 * The client of a Platen service: links, signed links, and every endpoint of its API, for Node, Deno, Bun, browsers
 * and edge runtimes. Made from src/client/*.ts by `npm run docs`; the types are there.
 */

/** The link that draws template `uid` with `values`. Throws a `TypeError` for a uid that can be none. */
export function renderUrl(
  uid,
  values = {},
  options = {},
) {
  const query = renderQuery(values, options);
  return `${baseOf(options.baseUrl)}${renderPath(uid, options.format)}${query === '' ? '' : `?${query}`}`;
}

/**
 * The same link with `_expires`, when asked for, and the `_signature` of a template that answers signed links only.
 * Rejects with a `TypeError` for an `expires` that is no time: an invalid date, or milliseconds in place of seconds.
 */
export async function signedRenderUrl(
  uid,
  values,
  options,
) {
  const { expires, signingKey } = options;
  const limits = expires === undefined ? {} : { _expires: expirySeconds(expires) };
  return signRenderUrl(renderUrl(uid, { ...values, ...limits }, options), signingKey);
}

/**
 * Signs a link as it stands, in place of a signature that it may have: `/v1/render/…` with whatever is before it. The
 * signature covers the path without its extension, so that the format may be chosen later, and the query as it is sent:
 * whoever changes one character of it afterwards breaks it. What browsers and `fetch` encode before they send a link
 * (`'`, `"`, `<`, `>`, spaces, letters outside ASCII) is encoded here already. Rejects with a `TypeError` for what is no
 * render link.
 */
export async function signRenderUrl(url, signingKey) {
  const link = /^([^?#]*?)(\/v1\/render\/[\w-]{1,64})(\.\w+)?(?:\?([^#]*))?$/.exec(String(url));
  if (link === null)
    throw new TypeError(`"${String(url)}" is no link of the form …/v1/render/{uid}`);
  const [, base = '', path = '', extension = '', sent = ''] = link;
  const query = sent === '' ? '' : encodeAsSent(sent);
  const segments = query === '' ? [] : query.split('&').filter((segment) => !isSignature(segment));
  // An `&amp;` that was never unescaped is an `&` to the service.
  const text = segments.map((segment) => segment.replace(/^(?:amp;)+/, '')).join('&');
  const signature = await hmac(`${path}?${text}`, signingKey);
  return `${base}${path}${extension}?${[...segments, `_signature=${signature}`].join('&')}`;
}

/**
 * A query with those characters encoded that every parser of addresses encodes before it sends them (WHATWG URL,
 * special-query percent-encode set), so that what is signed is what arrives.
 */
export function encodeAsSent(query) {
  return query
    .toWellFormed()
    .replaceAll(/[^!$-&(-;=?-~]+/g, (text) => encodeURIComponent(text).replaceAll("'", '%27'));
}

/** Seconds since 1970 that are surely no milliseconds: the year 5138. */
const expirySecondsMax = 99_999_999_999;

function expirySeconds(expires) {
  const seconds = Math.floor(expires instanceof Date ? expires.getTime() / 1000 : expires);
  if (seconds >= 0 && seconds <= expirySecondsMax) return seconds;
  throw new TypeError(
    `expires is ${String(expires)}: expected a valid Date, or seconds since 1970 (not milliseconds).`,
  );
}

function isSignature(segment) {
  return /^(?:amp;)*_signature(?:=|$)/.test(segment);
}

/** HMAC-SHA256 in lower-case hexadecimal digits. */
async function hmac(message, secret) {
  const { subtle } = globalThis.crypto;
  const text = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  const signature = await subtle.sign('HMAC', key, text.encode(message));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function renderPath(uid, format) {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(uid)) {
    throw new TypeError(`"${uid}" is no uid of a template: 1 to 64 of A-Z, a-z, 0-9, _ and -.`);
  }
  return `/v1/render/${uid}${format === undefined ? '' : `.${format}`}`;
}

function renderQuery(values, options) {
  const { scale, quality, version } = options;
  return queryOf({ ...values, _scale: scale, _quality: quality, _version: version });
}

/** Names and values as a query, without its `?`; undefined and null are left out. */
export function queryOf(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(String(value))}`)
    .join('&');
}

/** Encodes also what `encodeURIComponent` leaves (RFC 3986, sub-delims): parsers of addresses, mail and chat tools do. */
function encodeText(text) {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** An address without slashes at its end; empty for none. */
export function baseOf(baseUrl) {
  return String(baseUrl ?? '').replace(/\/+$/, '');
}

/** An answer that is no success, or none at all (`status` 0). `message` is the service's sentence. */
export class PlatenError extends Error {
           status;
  /** The code of a render's error, such as `BAD_REQUEST`; of other endpoints undefined. */
           code;
  /** For questions about this very answer. */
           requestId;
           details;
  /** Seconds to wait before another try, when the service says so. */
           retryAfterSeconds;

  constructor(
    message,
    facts,
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'PlatenError';
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}



const callTimeoutMs = 30_000;

/** Sends a call. Rejects with a `PlatenError` for an answer that is no success, or for none. */
export async function send(
  options,
  method,
  path,
  call,
) {
  const { fetch: ownFetch = globalThis.fetch, timeoutMs = callTimeoutMs } = options;
  const query = queryOf(call.query ?? {});
  const url = `${baseOf(options.baseUrl)}${path}${query === '' ? '' : `?${query}`}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
  const init = { method, headers: headersOf(options, call), signal };
  const body = call.body === undefined ? call.bytes : JSON.stringify(call.body);
  let response;
  try {
    response = await ownFetch(url, body === undefined ? init : { ...init, body });
  } catch (cause) {
    if (call.signal?.aborted === true) throw cause;
    throw new PlatenError(`${method} ${url} was not answered: ${String(cause)}`, {
      status: 0,
      cause,
    });
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

function headersOf({ apiKey }, call) {
  const type = call.body === undefined ? call.contentType : 'application/json';
  return {
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(call.accept === undefined ? {} : { Accept: call.accept }),
    ...(call.cid === undefined ? {} : { 'If-Match': `"${call.cid}"` }),
  };
}

/** Both error bodies of the service, and whatever a proxy in front of it may have sent instead. */
async function errorOf(response) {
  const { status, headers } = response;
  const text = await response.text();
  const { error, details } = parseError(text);
  const told = typeof error === 'string' ? { message: error } : error;
  const retryAfter = Number(headers.get('Retry-After') ?? undefined);
  return new PlatenError(told?.message ?? `The service answered ${status}.`, {
    status,
    code: told?.code,
    requestId: told?.requestId ?? headers.get('X-Request-Id') ?? undefined,
    details: details ?? [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

function parseError(text) {
  try {
    const body = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}


/** Templates of a page at most; the service takes a larger limit as this. */
const pageTemplatesMax = 100;

/** Whether an error is the answer past the end. A 404 of something else, such as of a wrong base address, is not. */
export function isEndOfList(error) {
  return (
    error instanceof PlatenError && error.status === 404 && error.message === 'No templates found'
  );
}

/** The page in place of that answer, which has no total. */
export function emptyPage({ limit = 20, offset = 0 }) {
  return { templates: [], total: 0, limit: Math.min(limit, pageTemplatesMax), offset };
}

/** Every template of the pages that `readPage` gives, once; ends at the first page that is not full. */
export async function* eachTemplate(
  readPage,
) {
  // A template that is saved meanwhile moves others to the next page, where they come again.
  const seen = new Set ();
  for (let offset = 0;; offset += pageTemplatesMax) {
    const { templates } = await readPage({ limit: pageTemplatesMax, offset });
    for (const template of templates) {
      if (seen.has(template.uid)) continue;
      seen.add(template.uid);
      yield template;
    }
    if (templates.length < pageTemplatesMax) return;
  }
}





/** What a file is, its bytes tell. */
const binary = 'application/octet-stream';

/** Calls a service. Each method resolves to the answer's body and rejects with a `PlatenError`. */
export class PlatenClient {
  #options;

  constructor(options) {
    this.#options = options;
  }

  /** Draws a published template. */
  render(
    uid,
    values = {},
    options = {},
  ) {
    const { signal, ...urlOptions } = options;
    return this.#image(
      'GET',
      renderUrl(uid, values, urlOptions),
      signal === undefined ? {} : { signal },
    );
  }

  /** Whose the key is. */
  validateOrganization(call = {}) {
    return this.#json('GET', '/v1/validate-organization', call);
  }

  /**
   * One page, newest first. The service answers 404 "No templates found" past the end of the list, and of an empty one: here
   * that is a page without templates. Its `total` is 0, because that answer has none.
   */
  async listTemplates(
    query = {},
    call = {},
  ) {
    try {
      return await this.#json('GET', '/v1/templates', { ...call, query });
    } catch (error) {
      if (isEndOfList(error)) return emptyPage(query);
      throw error;
    }
  }

  /**
   * Every template once, newest first, page by page: `for await (const { uid } of platen.eachTemplate())`. It ends at the
   * first page that is not full, which the answer past the end of the list counts as.
   */
  eachTemplate(
    filter = {},
    call = {},
  ) {
    return eachTemplate((query) => this.listTemplates({ ...filter, ...query }, call));
  }

  getTemplate(uid, call = {}) {
    return this.#json('GET', templatePath(uid), call);
  }

  /** Saves a new draft, under a uid of your choice or a random one. */
  createTemplate(
    document,
    query = {},
    call = {},
  ) {
    return this.#json('POST', '/v1/templates', { ...call, query, body: document });
  }

  /** Saves the draft; with the `cid` under which it was read, only if nobody has changed it since (else 412). */
  updateTemplate(
    uid,
    document,
    call = {},
  ) {
    return this.#json('PUT', templatePath(uid), { ...call, body: document });
  }

  /** The document of the draft, or of a published version. */
  getTemplateDocument(
    uid,
    query = {},
    call = {},
  ) {
    return this.#json('GET', templatePath(uid, '/document'), { ...call, query });
  }

  /** Makes the draft, or an old `version` once more, the next version; with a `cid` only if the draft is that one (else 412). */
  publishTemplate(
    uid,
    body = {},
    call = {},
  ) {
    return this.#json('POST', templatePath(uid, '/publish'), { ...call, body });
  }

  listTemplateVersions(uid, call = {}) {
    return this.#json('GET', templatePath(uid, '/versions'), call);
  }

  /** From now on its links answer 404. `cid` as in `publishTemplate`. */
  archiveTemplate(uid, call = {}) {
    return this.#nothing('DELETE', templatePath(uid), call);
  }

  /** Brings it back, links and all. `cid` as in `publishTemplate`. */
  restoreTemplate(uid, call = {}) {
    return this.#json('POST', templatePath(uid, '/restore'), call);
  }

  /** Renders it again after it was quarantined. */
  releaseTemplate(uid, call = {}) {
    return this.#nothing('POST', templatePath(uid, '/release'), call);
  }

  duplicateTemplate(
    uid,
    body = {},
    call = {},
  ) {
    return this.#json('POST', templatePath(uid, '/duplicate'), { ...call, body });
  }

  /** The templates that come with the service. */
  listSamples(call = {}) {
    return this.#json('GET', '/v1/samples', call);
  }

  /** To be previewed as it is; `copySample` saves it. */
  getSampleDocument(uid, call = {}) {
    return this.#json('GET', `/v1/samples/${segment(uid)}`, call);
  }

  /** Saves a sample, with its pictures, as a new draft. */
  copySample(
    uid,
    body = {},
    call = {},
  ) {
    return this.#json('POST', `/v1/samples/${segment(uid)}/copy`, { ...call, body });
  }

  listSigningKeys(uid, call = {}) {
    return this.#json('GET', templatePath(uid, '/signing-keys'), call);
  }

  /** The answer alone has the key. */
  createSigningKey(uid, call = {}) {
    return this.#json('POST', templatePath(uid, '/signing-keys'), call);
  }

  deleteSigningKey(uid, id, call = {}) {
    return this.#nothing('DELETE', templatePath(uid, `/signing-keys/${segment(id)}`), call);
  }

  /** Draws a document that need not be saved. */
  preview(request, call = {}) {
    return this.#image('POST', '/v1/preview', { ...call, body: request });
  }

  /** What a document would look like, as data: boxes, lines, sizes, warnings. */
  previewReport(request, call = {}) {
    return this.#json('POST', '/v1/preview', {
      ...call,
      body: request,
      accept: 'application/json',
    });
  }

  listAssets(
    query = {},
    call = {},
  ) {
    return this.#json('GET', '/v1/assets', { ...call, query });
  }

  /** Stores a picture; the same bytes again are the same asset. */
  uploadAsset(bytes, call = {}) {
    return this.#json('POST', '/v1/assets', { ...call, bytes, contentType: binary });
  }

  /** Lets the service fetch the picture to be stored. */
  uploadAssetFromUrl(url, call = {}) {
    return this.#json('POST', '/v1/assets', { ...call, body: { url: String(url) } });
  }

  /** The picture itself. */
  getAsset(id, call = {}) {
    return this.#image('GET', `/v1/assets/${segment(id)}`, call);
  }

  deleteAsset(id, call = {}) {
    return this.#nothing('DELETE', `/v1/assets/${segment(id)}`, call);
  }

  listFonts(call = {}) {
    return this.#json('GET', '/v1/fonts', call);
  }

  /** Stores a TTF, OTF or WOFF2 file for the organization, under its own family's name or another. */
  uploadFont(
    bytes,
    query = {},
    call = {},
  ) {
    return this.#json('POST', '/v1/fonts', { ...call, query, bytes, contentType: binary });
  }

  deleteFont(id, call = {}) {
    return this.#nothing('DELETE', `/v1/fonts/${segment(id)}`, call);
  }

  listKeys(call = {}) {
    return this.#json('GET', '/v1/keys', call);
  }

  /** The answer alone has the key. */
  createKey(body, call = {}) {
    return this.#json('POST', '/v1/keys', { ...call, body });
  }

  /** Ends a key at once. */
  revokeKey(id, call = {}) {
    return this.#nothing('DELETE', `/v1/keys/${segment(id)}`, call);
  }

  /** A new key in place of an old one, which ends at once. */
  rotateKey(id, call = {}) {
    return this.#json('POST', `/v1/keys/${segment(id)}/rotate`, call);
  }

  async #json (method, path, call) {
    const response = await send(this.#options, method, path, call);
    return (await response.json());
  }

  async #nothing(method, path, call) {
    const response = await send(this.#options, method, path, call);
    await response.body?.cancel();
  }

  async #image(method, path, call) {
    const response = await send(this.#options, method, path, call);
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      contentType: response.headers.get('Content-Type') ?? '',
      etag: response.headers.get('ETag') ?? undefined,
      warnings: response.headers.get('X-Render-Warnings') ?? '',
    };
  }
}

function templatePath(uid, below = '') {
  return `/v1/templates/${segment(uid)}${below}`;
}

/** One segment of a path: an id never reaches another endpoint. */
function segment(id) {
  return encodeURIComponent(String(id));
}
