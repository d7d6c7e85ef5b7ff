import { readFileSync } from 'node:fs';
import t from 'tap';
import { Check } from 'typebox/schema';
import { endpoints } from '../../src/app.ts';
import type { Operation } from '../../src/api/declaration.ts';
import { PlatenClient, PlatenError, signedRenderUrl } from '../../src/client/platen-client.ts';
import type { TemplateDocument, TemplateSummary } from '../../src/client/platen-client.ts';
import { eachTemplate } from '../../src/client/template-list.ts';
import { demoKey, startService } from './service.ts';

const schemas = new Map(
  endpoints.flatMap(({ answers }: Operation) =>
    Object.values(answers).flatMap(({ content = {} }) =>
      Object.values(content).map(({ schema }) => [String(Object(schema).$id), schema] as const),
    ),
  ),
);

/** Whether a value is as the schema of this name says. */
function fits(name: string, value: unknown): boolean {
  return Check(schemas.get(name) ?? false, value);
}

t.test('the client against the service', async (t) => {
  const { base } = await startService(t);
  const platen = new PlatenClient({ baseUrl: `${base}/`, apiKey: demoKey });
  const document: TemplateDocument = {
    ...(await platen.getTemplateDocument('hello')),
    name: 'Mine',
  };

  t.test('a template lives its whole life, and every answer is as its schema says', async (t) => {
    t.ok(fits('OrganizationAnswer', await platen.validateOrganization()));
    const made = await platen.createTemplate(document, { uid: 'mine' });
    t.ok(fits('Draft', made));
    const changed = await platen.updateTemplate('mine', { ...document, width: 300 }, made);
    t.equal(await failure(platen.updateTemplate('mine', document, made)), 412);
    t.ok(fits('Published', await platen.publishTemplate('mine', { note: 'First' })));
    t.equal((await platen.render('mine', { name: 'Ana' }, { scale: 2 })).contentType, 'image/png');
    t.match(await platen.getTemplateDocument('mine', { version: 1 }), { width: 300 });
    const versions = await platen.listTemplateVersions('mine');
    t.ok(fits('VersionList', versions));
    t.match(versions.versions, [{ version: 1, cid: changed.cid, note: 'First' }]);
    const query = { limit: 1, offset: 1 };
    const endpoint = 'GET /v1/templates/{uid}/versions';
    const none = await platen.request(endpoint, { path: { uid: 'mine' }, query });
    t.same(none, { ...query, versions: [], total: 1 });
    t.equal(await failure(platen.request(endpoint, { path: { uid: 'mine/../hello' } })), 404);
    t.ok(fits('TemplateDetails', await platen.getTemplate('mine')));
    const page = await platen.listTemplates({ limit: 3 });
    t.ok(fits('TemplatePage', page) && page.templates[0]?.uid === 'mine');
    t.same(await platen.listTemplates({ limit: 500, offset: 1000 }), {
      templates: [],
      total: 0,
      limit: 100,
      offset: 1000,
    });
    const lost = new PlatenClient({ baseUrl: `${base}/elsewhere`, apiKey: demoKey });
    t.equal(await failure(lost.listTemplates()), 404, 'another 404 is no empty list');
    t.ok(fits('Draft', await platen.duplicateTemplate('mine', { uid: 'copy' })));
    await platen.archiveTemplate('mine');
    await t.rejects(platen.render('mine'), { status: 404, code: 'NOT_FOUND', requestId: /^req_/ });
    t.match(await platen.listTemplates({ archived: true }), { templates: [{ uid: 'mine' }] });
    t.ok(fits('Draft', await platen.restoreTemplate('mine')));
    t.equal((await platen.render('mine')).warnings, '');
    const values = { name: 'Anna' };
    const linked = await platen.render('mine', values);
    t.same(await platen.renderJson('mine', { values }), linked);
    const { base64 } = await platen.renderJson('mine', { values, response: 'base64' });
    t.equal(base64, Buffer.from(linked.bytes).toString('base64'));
  });

  t.test('each template is iterated once, without a request past the end', async (t) => {
    const all = Array.from({ length: 199 }, (_, index) => ({ uid: `each-${index}` }));
    const offsets: number[] = [];
    const pages = eachTemplate(async ({ limit, offset }) => {
      offsets.push(offset);
      // Since the first page, a new template has moved the others.
      const templates = all.slice(Math.max(0, offset - 1), offset + limit) as TemplateSummary[];
      return { templates, limit, offset, total: 200 };
    });
    const uids: string[] = [];
    for await (const { uid } of pages) uids.push(uid);
    t.same([uids.length, new Set(uids).size, offsets], [199, 199, [0, 100]]);
    for await (const { version } of platen.eachTemplate({ published: false })) {
      t.equal(version, null);
    }
  });

  t.test('a document is previewed as an image and as a report', async (t) => {
    const request = { template: document, values: { name: 'Ana' } };
    t.equal((await platen.preview(request)).contentType, 'image/png');
    const report = await platen.previewReport(request);
    t.ok(fits('PreviewReportResponse', report));
    t.ok(report.layers.some(({ text }) => text?.text.includes('Ana')));
  });

  t.test('images, fonts and keys come and go', async (t) => {
    const { bytes } = await platen.render('hello');
    const asset = await platen.uploadAsset(new Uint8Array(bytes));
    t.ok(fits('AssetResponse', asset));
    t.ok(fits('AssetListResponse', await platen.listAssets()));
    t.same((await platen.getAsset(asset.id)).bytes, bytes);
    await platen.deleteAsset(asset.id);
    t.equal(await failure(platen.getAsset(asset.id)), 404);
    t.equal(await failure(platen.uploadAssetFromUrl('http://127.0.0.1:1/a.png')), 400);
    t.ok(fits('FontListResponse', await platen.listFonts()));
    const file = readFileSync(
      new URL(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
    );
    const font = await platen.uploadFont(new Uint8Array(file), { family: 'House Sans' });
    t.ok(fits('FontResponse', font));
    await platen.deleteFont(font.id);

    const made = await platen.createKey({ name: 'reader', scopes: ['read'] });
    t.ok(fits('NewApiKey', made));
    const reader = new PlatenClient({ baseUrl: base, apiKey: made.key });
    t.equal(await failure(reader.archiveTemplate('hello')), 403);
    t.ok(fits('ApiKeyList', await reader.listKeys()));
    const rotated = await platen.rotateKey(made.id);
    await t.rejects(reader.listKeys(), { status: 401, message: 'Invalid API key' });
    await platen.revokeKey(rotated.id);
  });

  t.test('a signed link opens a template that asks for one', async (t) => {
    await platen.createTemplate({ ...document, linkAuth: 'signed' }, { uid: 'signed' });
    await platen.publishTemplate('signed');
    const made = await platen.createSigningKey('signed');
    t.ok(fits('NewSigningKey', made));
    t.ok(fits('SigningKeyList', await platen.listSigningKeys('signed')));
    const expires = new Date(Date.now() + 60_000);
    const url = await signedRenderUrl(
      'signed',
      { name: 'Zoë & Co' },
      { baseUrl: base, signingKey: made.key, expires },
    );
    const answer = await fetch(url);
    t.equal(answer.status, 200);
    t.equal((await fetch(url.replace('Zo', 'Za'))).status, 401);
    await answer.arrayBuffer();

    await platen.deleteSigningKey('signed', made.id);
    t.equal((await fetch(url)).status, 401);
  });

  t.test('an error tells what the service said, and that it said nothing', async (t) => {
    const error = await platen.createTemplate({ ...document, width: -1 }).catch((each) => each);
    t.type(error, PlatenError);
    t.match(error, { status: 400, code: undefined, details: [{ path: /width/ }] });
    const nobody = new PlatenClient({ baseUrl: 'http://127.0.0.1:1' });
    await t.rejects(nobody.render('hello'), { name: 'PlatenError', status: 0 });
    const badDay = async (): Promise<Response> =>
      new Response('<html>Bad day</html>', { status: 503, headers: { 'Retry-After': '7' } });
    await t.rejects(new PlatenClient({ baseUrl: base, fetch: badDay }).listKeys(), {
      status: 503,
      message: 'The service answered 503.',
      retryAfterSeconds: 7,
    });
    const signal = AbortSignal.abort();
    await t.rejects(platen.listKeys({ signal }), { name: 'AbortError' });
  });
});

/** The status that a call fails with. */
async function failure(call: Promise<unknown>): Promise<number | undefined> {
  const error = await call.catch((each: unknown) => each);
  return error instanceof PlatenError ? error.status : undefined;
}
