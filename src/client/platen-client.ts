/**
 * The client of a Platen service: links, signed links, and every endpoint of its API. It needs only `fetch` and
 * `crypto.subtle`, so it runs in Node, Deno, Bun, browsers and edge runtimes.
 */
import type {
  Call,
  CallOptions,
  PlatenClientOptions,
  RenderedImage,
  TemplateDocument,
  UploadBytes,
} from './call.ts';
import { addressOf, PlatenError, send, toImage } from './call.ts';
import type * as Api from './endpoints.ts';
import type { Endpoints, FileEndpoint, InputOf, JsonEndpoint, RenderAnswers } from './inputs.ts';
import type { RenderUrlOptions, RenderValues } from './links.ts';
import { renderUrl, signedRenderUrl, signRenderUrl } from './links.ts';
import type { PageQuery, TemplateFilter } from './template-list.ts';
import { eachTemplate, emptyPage, isEndOfList } from './template-list.ts';

export type * from './endpoints.ts';
export type { TemplateFilter } from './template-list.ts';
export type * from './call.ts';
export type { RenderUrlOptions, RenderValues, SignedRenderUrlOptions } from './links.ts';
export { PlatenError, renderUrl, signedRenderUrl, signRenderUrl };

/** Calls a service. Each method resolves to the body of the response, or rejects with a `PlatenError`. */
export class PlatenClient {
  readonly #options: PlatenClientOptions;

  constructor(options: PlatenClientOptions) {
    this.#options = options;
  }

  /** Renders a published template. */
  render(
    uid: string,
    values: RenderValues = {},
    options: Omit<RenderUrlOptions, 'baseUrl'> & CallOptions = {},
  ): Promise<RenderedImage> {
    const { signal, ...urlOptions } = options;
    const call = signal === undefined ? {} : { signal };
    return send(this.#options, 'GET', renderUrl(uid, values, urlOptions), call).then(toImage);
  }

  /** Renders without a signature, also with values longer than a link. `response` chooses the answer. */
  renderJson<Kind extends keyof RenderAnswers = 'image'>(
    uid: string,
    request: Api.RenderRequest & { response?: Kind } = {},
    call: CallOptions = {},
  ): Promise<RenderAnswers[Kind]> {
    const { response = 'image' } = request;
    return this.#send('POST /v1/render/{uid}', { ...call, path: { uid }, body: request }).then(
      (sent) =>
        (response === 'image' ? toImage(sent) : sent.json()) as Promise<RenderAnswers[Kind]>,
    );
  }

  /** Returns the organization of the key. */
  validateOrganization(call: CallOptions = {}): Promise<Api.OrganizationAnswer> {
    return this.request('GET /v1/validate-organization', call);
  }

  /**
   * Returns one page, newest first. For an empty list and past the end, the service answers 404 "No templates found".
   * The result is then an empty page with a `total` of 0, because the 404 has none.
   */
  async listTemplates(
    query: TemplateFilter & PageQuery = {},
    call: CallOptions = {},
  ): Promise<Api.TemplatePage> {
    try {
      return await this.request('GET /v1/templates', { ...call, query });
    } catch (error) {
      if (isEndOfList(error)) return emptyPage(query);
      throw error;
    }
  }

  /** Yields every template once, newest first, page by page: `for await (const { uid } of platen.eachTemplate())`. */
  eachTemplate(
    filter: TemplateFilter = {},
    call: CallOptions = {},
  ): AsyncGenerator<Api.TemplateSummary, void> {
    return eachTemplate((query) => this.listTemplates({ ...filter, ...query }, call));
  }

  getTemplate(uid: string, call: CallOptions = {}): Promise<Api.TemplateDetails> {
    return this.request('GET /v1/templates/{uid}', { ...call, path: { uid } });
  }

  /** Saves a new draft, under a uid of your choice or a random one. */
  createTemplate(
    document: TemplateDocument,
    query: { uid?: string } = {},
    call: CallOptions = {},
  ): Promise<Api.Draft> {
    return this.request('POST /v1/templates', { ...call, query, body: document });
  }

  /** Saves the draft. With a `cid`, only if this is still its content id (else 412). */
  updateTemplate(
    uid: string,
    document: TemplateDocument,
    call: CallOptions & { cid?: string } = {},
  ): Promise<Api.Draft> {
    return this.request('PUT /v1/templates/{uid}', { ...call, path: { uid }, body: document });
  }

  /** Returns the document of the draft, or of a published version. */
  getTemplateDocument(
    uid: string,
    query: { version?: number } = {},
    call: CallOptions = {},
  ): Promise<TemplateDocument> {
    return this.request('GET /v1/templates/{uid}/document', { ...call, path: { uid }, query });
  }

  /** Publishes the draft, or an old `version` again. With a `cid`, only if the draft has this id (else 412). */
  publishTemplate(
    uid: string,
    body: Api.PublishRequest = {},
    call: CallOptions & { cid?: string } = {},
  ): Promise<Api.Published> {
    return this.request('POST /v1/templates/{uid}/publish', { ...call, path: { uid }, body });
  }

  listTemplateVersions(uid: string, call: CallOptions = {}): Promise<Api.VersionList> {
    return this.request('GET /v1/templates/{uid}/versions', { ...call, path: { uid } });
  }

  /** Archives a template: its links answer 404. `cid` as in `publishTemplate`. */
  archiveTemplate(uid: string, call: CallOptions & { cid?: string } = {}): Promise<void> {
    return this.request('DELETE /v1/templates/{uid}', { ...call, path: { uid } });
  }

  /** Restores the template and its links. `cid` as in `publishTemplate`. */
  restoreTemplate(uid: string, call: CallOptions & { cid?: string } = {}): Promise<Api.Draft> {
    return this.request('POST /v1/templates/{uid}/restore', { ...call, path: { uid } });
  }

  /** Ends the quarantine of a template. */
  releaseTemplate(uid: string, call: CallOptions = {}): Promise<void> {
    return this.request('POST /v1/templates/{uid}/release', { ...call, path: { uid } });
  }

  duplicateTemplate(
    uid: string,
    body: Api.DuplicateRequest = {},
    call: CallOptions = {},
  ): Promise<Api.Draft> {
    return this.request('POST /v1/templates/{uid}/duplicate', { ...call, path: { uid }, body });
  }

  /** Lists the templates that come with the service. */
  listSamples(call: CallOptions = {}): Promise<Api.SampleList> {
    return this.request('GET /v1/samples', call);
  }

  /** Returns the document of a sample, for previews; `copySample` saves it. */
  getSampleDocument(uid: string, call: CallOptions = {}): Promise<TemplateDocument> {
    return this.request('GET /v1/samples/{uid}', { ...call, path: { uid } });
  }

  /** Saves a sample, with its images, as a new draft. */
  copySample(
    uid: string,
    body: Api.DuplicateRequest = {},
    call: CallOptions = {},
  ): Promise<Api.Draft> {
    return this.request('POST /v1/samples/{uid}/copy', { ...call, path: { uid }, body });
  }

  listSigningKeys(uid: string, call: CallOptions = {}): Promise<Api.SigningKeyList> {
    return this.request('GET /v1/templates/{uid}/signing-keys', { ...call, path: { uid } });
  }

  /** Only this response contains the key. */
  createSigningKey(uid: string, call: CallOptions = {}): Promise<Api.NewSigningKey> {
    return this.request('POST /v1/templates/{uid}/signing-keys', { ...call, path: { uid } });
  }

  deleteSigningKey(uid: string, id: string | number, call: CallOptions = {}): Promise<void> {
    return this.request('DELETE /v1/templates/{uid}/signing-keys/{id}', {
      ...call,
      path: { uid, id },
    });
  }

  /** Renders a document, saved or not. */
  preview(request: Api.PreviewRequest, call: CallOptions = {}): Promise<RenderedImage> {
    return this.#send('POST /v1/preview', { ...call, body: request }).then(toImage);
  }

  /** Returns a report on a document instead of its image: boxes, lines, sizes, warnings. */
  previewReport(request: Api.PreviewRequest, call: CallOptions = {}): Promise<Api.PreviewReport> {
    const input = { ...call, body: request, accept: 'application/json' };
    return this.#send('POST /v1/preview', input).then(
      (response) => response.json() as Promise<Api.PreviewReport>,
    );
  }

  listAssets(
    query: { limit?: number; offset?: number } = {},
    call: CallOptions = {},
  ): Promise<Api.AssetList> {
    return this.request('GET /v1/assets', { ...call, query });
  }

  /** Stores an image. The same bytes give the same asset. */
  uploadAsset(bytes: UploadBytes, call: CallOptions = {}): Promise<Api.Asset> {
    return this.request('POST /v1/assets', { ...call, bytes });
  }

  /** Stores an image that the service fetches. */
  uploadAssetFromUrl(url: string | URL, call: CallOptions = {}): Promise<Api.Asset> {
    return this.request('POST /v1/assets', { ...call, body: { url: String(url) } });
  }

  /** Returns the file of an asset. */
  getAsset(id: string, call: CallOptions = {}): Promise<RenderedImage> {
    return this.#send('GET /v1/assets/{id}', { ...call, path: { id } }).then(toImage);
  }

  deleteAsset(id: string, call: CallOptions = {}): Promise<void> {
    return this.request('DELETE /v1/assets/{id}', { ...call, path: { id } });
  }

  listFonts(call: CallOptions = {}): Promise<Api.FontList> {
    return this.request('GET /v1/fonts', call);
  }

  /** Stores a TTF, OTF or WOFF2 file for the organization, under the family name of the file or another name. */
  uploadFont(
    bytes: UploadBytes,
    query: { family?: string } = {},
    call: CallOptions = {},
  ): Promise<Api.Font> {
    return this.request('POST /v1/fonts', { ...call, query, bytes });
  }

  deleteFont(id: string, call: CallOptions = {}): Promise<void> {
    return this.request('DELETE /v1/fonts/{id}', { ...call, path: { id } });
  }

  listKeys(call: CallOptions = {}): Promise<Api.ApiKeyList> {
    return this.request('GET /v1/keys', call);
  }

  /** Only this response contains the key. */
  createKey(body: Api.NewKeyRequest, call: CallOptions = {}): Promise<Api.NewApiKey> {
    return this.request('POST /v1/keys', { ...call, body });
  }

  /** Revokes a key immediately. */
  revokeKey(id: string | number, call: CallOptions = {}): Promise<void> {
    return this.request('DELETE /v1/keys/{id}', { ...call, path: { id } });
  }

  /** Replaces a key by a new one. The old key ends immediately. */
  rotateKey(id: string | number, call: CallOptions = {}): Promise<Api.NewApiKey> {
    return this.request('POST /v1/keys/{id}/rotate', { ...call, path: { id } });
  }

  /** Calls an endpoint: `platen.request('GET /v1/fonts')`. `path` holds the values of the names in braces. */
  async request<Key extends JsonEndpoint>(
    endpoint: Key,
    ...[input]: object extends InputOf<Key> ? [input?: InputOf<Key>] : [input: InputOf<Key>]
  ): Promise<Endpoints[Key]['answer']> {
    const response = await this.#send(endpoint, input);
    if (response.status !== 204) return (await response.json()) as Endpoints[Key]['answer'];
    await response.body?.cancel();
    return undefined;
  }

  /** Calls an endpoint that answers with a file or a stream. The caller reads the body within the timeout. */
  requestFile<Key extends FileEndpoint>(
    endpoint: Key,
    ...[input]: object extends InputOf<Key> ? [input?: InputOf<Key>] : [input: InputOf<Key>]
  ): Promise<Response> {
    return this.#send(endpoint, input);
  }

  #send(
    endpoint: keyof Endpoints,
    input: Call & { path?: Readonly<Record<string, string | number>> } = {},
  ): Promise<Response> {
    const { path = {}, ...call } = input;
    const [method, target] = addressOf(endpoint, path);
    return send(this.#options, method, target, call);
  }
}
