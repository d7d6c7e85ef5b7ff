/**
 * The client of a Platen service: links, signed links, and every endpoint of its API. It needs nothing but `fetch` and
 * `crypto.subtle`, so it runs in Node, Deno, Bun, browsers and edge runtimes alike.
 */
import type * as Api from './api-types.ts';
import type { Call, CallOptions, PlatenClientOptions } from './call.ts';
import { send, PlatenError } from './call.ts';
import type { RenderUrlOptions, RenderValues } from './links.ts';
import { renderUrl, signedRenderUrl, signRenderUrl } from './links.ts';
import type { PageQuery, TemplateFilter } from './template-list.ts';
import { eachTemplate, emptyPage, isEndOfList } from './template-list.ts';

export type * from './api-types.ts';
export type { TemplateFilter } from './template-list.ts';
export type { CallOptions, PlatenClientOptions } from './call.ts';
export type { RenderUrlOptions, RenderValues, SignedRenderUrlOptions } from './links.ts';
export type { ErrorDetail } from './call.ts';
export { PlatenError, renderUrl, signedRenderUrl, signRenderUrl };

/** A picture that came back. */
export interface RenderedImage {
  bytes: Uint8Array;
  contentType: string;
  /** Of a picture that is as its template asks. */
  etag: string | undefined;
  /** As in `X-Render-Warnings`; empty when everything is as the template asks. */
  warnings: string;
}

/** What is uploaded. */
export type UploadBytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** What a file is, its bytes tell. */
const binary = 'application/octet-stream';

/** Calls a service. Each method resolves to the answer's body and rejects with a `PlatenError`. */
export class PlatenClient {
  readonly #options: PlatenClientOptions;

  constructor(options: PlatenClientOptions) {
    this.#options = options;
  }

  /** Draws a published template. */
  render(
    uid: string,
    values: RenderValues = {},
    options: Omit<RenderUrlOptions, 'baseUrl'> & CallOptions = {},
  ): Promise<RenderedImage> {
    const { signal, ...urlOptions } = options;
    return this.#image(
      'GET',
      renderUrl(uid, values, urlOptions),
      signal === undefined ? {} : { signal },
    );
  }

  /** Whose the key is. */
  validateOrganization(call: CallOptions = {}): Promise<Api.OrganizationAnswer> {
    return this.#json('GET', '/v1/validate-organization', call);
  }

  /**
   * One page, newest first. The service answers 404 "No templates found" past the end of the list, and of an empty one: here
   * that is a page without templates. Its `total` is 0, because that answer has none.
   */
  async listTemplates(
    query: TemplateFilter & PageQuery = {},
    call: CallOptions = {},
  ): Promise<Api.TemplatePage> {
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
    filter: TemplateFilter = {},
    call: CallOptions = {},
  ): AsyncGenerator<Api.TemplateSummary, void> {
    return eachTemplate((query) => this.listTemplates({ ...filter, ...query }, call));
  }

  getTemplate(uid: string, call: CallOptions = {}): Promise<Api.TemplateDetails> {
    return this.#json('GET', templatePath(uid), call);
  }

  /** Saves a new draft, under a uid of your choice or a random one. */
  createTemplate(
    document: Api.TemplateDocument,
    query: { uid?: string } = {},
    call: CallOptions = {},
  ): Promise<Api.Draft> {
    return this.#json('POST', '/v1/templates', { ...call, query, body: document });
  }

  /** Saves the draft; with the `cid` under which it was read, only if nobody has changed it since (else 412). */
  updateTemplate(
    uid: string,
    document: Api.TemplateDocument,
    call: CallOptions & { cid?: string } = {},
  ): Promise<Api.Draft> {
    return this.#json('PUT', templatePath(uid), { ...call, body: document });
  }

  /** The document of the draft, or of a published version. */
  getTemplateDocument(
    uid: string,
    query: { version?: number } = {},
    call: CallOptions = {},
  ): Promise<Api.TemplateDocument> {
    return this.#json('GET', templatePath(uid, '/document'), { ...call, query });
  }

  /** Makes the draft, or an old `version` once more, the next version; with a `cid` only if the draft is that one (else 412). */
  publishTemplate(
    uid: string,
    body: Api.PublishRequest = {},
    call: CallOptions & { cid?: string } = {},
  ): Promise<Api.Published> {
    return this.#json('POST', templatePath(uid, '/publish'), { ...call, body });
  }

  listTemplateVersions(uid: string, call: CallOptions = {}): Promise<Api.VersionList> {
    return this.#json('GET', templatePath(uid, '/versions'), call);
  }

  /** From now on its links answer 404. `cid` as in `publishTemplate`. */
  archiveTemplate(uid: string, call: CallOptions & { cid?: string } = {}): Promise<void> {
    return this.#nothing('DELETE', templatePath(uid), call);
  }

  /** Brings it back, links and all. `cid` as in `publishTemplate`. */
  restoreTemplate(uid: string, call: CallOptions & { cid?: string } = {}): Promise<Api.Draft> {
    return this.#json('POST', templatePath(uid, '/restore'), call);
  }

  /** Renders it again after it was quarantined. */
  releaseTemplate(uid: string, call: CallOptions = {}): Promise<void> {
    return this.#nothing('POST', templatePath(uid, '/release'), call);
  }

  duplicateTemplate(
    uid: string,
    body: Api.DuplicateRequest = {},
    call: CallOptions = {},
  ): Promise<Api.Draft> {
    return this.#json('POST', templatePath(uid, '/duplicate'), { ...call, body });
  }

  /** The templates that come with the service. */
  listSamples(call: CallOptions = {}): Promise<Api.SampleList> {
    return this.#json('GET', '/v1/samples', call);
  }

  /** To be previewed as it is; `copySample` saves it. */
  getSampleDocument(uid: string, call: CallOptions = {}): Promise<Api.TemplateDocument> {
    return this.#json('GET', `/v1/samples/${segment(uid)}`, call);
  }

  /** Saves a sample, with its pictures, as a new draft. */
  copySample(
    uid: string,
    body: Api.DuplicateRequest = {},
    call: CallOptions = {},
  ): Promise<Api.Draft> {
    return this.#json('POST', `/v1/samples/${segment(uid)}/copy`, { ...call, body });
  }

  listSigningKeys(uid: string, call: CallOptions = {}): Promise<Api.SigningKeyList> {
    return this.#json('GET', templatePath(uid, '/signing-keys'), call);
  }

  /** The answer alone has the key. */
  createSigningKey(uid: string, call: CallOptions = {}): Promise<Api.NewSigningKey> {
    return this.#json('POST', templatePath(uid, '/signing-keys'), call);
  }

  deleteSigningKey(uid: string, id: string | number, call: CallOptions = {}): Promise<void> {
    return this.#nothing('DELETE', templatePath(uid, `/signing-keys/${segment(id)}`), call);
  }

  /** Draws a document that need not be saved. */
  preview(request: Api.PreviewRequest, call: CallOptions = {}): Promise<RenderedImage> {
    return this.#image('POST', '/v1/preview', { ...call, body: request });
  }

  /** What a document would look like, as data: boxes, lines, sizes, warnings. */
  previewReport(request: Api.PreviewRequest, call: CallOptions = {}): Promise<Api.PreviewReport> {
    return this.#json('POST', '/v1/preview', {
      ...call,
      body: request,
      accept: 'application/json',
    });
  }

  listAssets(
    query: { limit?: number; offset?: number } = {},
    call: CallOptions = {},
  ): Promise<Api.AssetList> {
    return this.#json('GET', '/v1/assets', { ...call, query });
  }

  /** Stores a picture; the same bytes again are the same asset. */
  uploadAsset(bytes: UploadBytes, call: CallOptions = {}): Promise<Api.Asset> {
    return this.#json('POST', '/v1/assets', { ...call, bytes, contentType: binary });
  }

  /** Lets the service fetch the picture to be stored. */
  uploadAssetFromUrl(url: string | URL, call: CallOptions = {}): Promise<Api.Asset> {
    return this.#json('POST', '/v1/assets', { ...call, body: { url: String(url) } });
  }

  /** The picture itself. */
  getAsset(id: string, call: CallOptions = {}): Promise<RenderedImage> {
    return this.#image('GET', `/v1/assets/${segment(id)}`, call);
  }

  deleteAsset(id: string, call: CallOptions = {}): Promise<void> {
    return this.#nothing('DELETE', `/v1/assets/${segment(id)}`, call);
  }

  listFonts(call: CallOptions = {}): Promise<Api.FontList> {
    return this.#json('GET', '/v1/fonts', call);
  }

  /** Stores a TTF, OTF or WOFF2 file for the organization, under its own family's name or another. */
  uploadFont(
    bytes: UploadBytes,
    query: { family?: string } = {},
    call: CallOptions = {},
  ): Promise<Api.Font> {
    return this.#json('POST', '/v1/fonts', { ...call, query, bytes, contentType: binary });
  }

  deleteFont(id: string, call: CallOptions = {}): Promise<void> {
    return this.#nothing('DELETE', `/v1/fonts/${segment(id)}`, call);
  }

  listKeys(call: CallOptions = {}): Promise<Api.ApiKeyList> {
    return this.#json('GET', '/v1/keys', call);
  }

  /** The answer alone has the key. */
  createKey(body: Api.NewKeyRequest, call: CallOptions = {}): Promise<Api.NewApiKey> {
    return this.#json('POST', '/v1/keys', { ...call, body });
  }

  /** Ends a key at once. */
  revokeKey(id: string | number, call: CallOptions = {}): Promise<void> {
    return this.#nothing('DELETE', `/v1/keys/${segment(id)}`, call);
  }

  /** A new key in place of an old one, which ends at once. */
  rotateKey(id: string | number, call: CallOptions = {}): Promise<Api.NewApiKey> {
    return this.#json('POST', `/v1/keys/${segment(id)}/rotate`, call);
  }

  async #json<Body>(method: string, path: string, call: Call): Promise<Body> {
    const response = await send(this.#options, method, path, call);
    return (await response.json()) as Body;
  }

  async #nothing(method: string, path: string, call: Call): Promise<void> {
    const response = await send(this.#options, method, path, call);
    await response.body?.cancel();
  }

  async #image(method: string, path: string, call: Call): Promise<RenderedImage> {
    const response = await send(this.#options, method, path, call);
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      contentType: response.headers.get('Content-Type') ?? '',
      etag: response.headers.get('ETag') ?? undefined,
      warnings: response.headers.get('X-Render-Warnings') ?? '',
    };
  }
}

function templatePath(uid: string, below = ''): string {
  return `/v1/templates/${segment(uid)}${below}`;
}

/** One segment of a path: an id never reaches another endpoint. */
function segment(id: string | number): string {
  return encodeURIComponent(String(id));
}
