/** The studio in a frame of the application that the guide shows, on another origin. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { ConsoleMessage } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, freePort, startService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { publishDraft } from './studio-page.ts';

const repository = join(import.meta.dirname, '../..');

/** Starts the program of the guide. */
async function startApplication(t: Test, environment: Record<string, string>): Promise<void> {
  const guide = readFileSync(join(repository, 'docs/guides/embedding.md'), 'utf8');
  const [, program = ''] = /^```javascript\n([^]*?)^```/m.exec(guide) ?? [];
  const file = join(t.testdir(), 'server.mjs');
  writeFileSync(file, `${program}server.once('listening', () => console.log('listening'));\n`);
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill());
  await new Promise((resolve) => child.stdout.once('data', resolve));
}

t.test('a page of another origin edits one template', { skip: skipsPages }, async (t) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const { base } = await startService(t, { environment: { PLATEN_EMBED_ORIGINS: origin } });
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const { uid } = await client.duplicateTemplate('hello', { name: 'Embedded' });
  await startApplication(t, { API_KEY: demoKey, BASE_URL: base, TEMPLATE: uid, PORT: `${port}` });
  const browser = await startBrowser(t);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  let tokens = 0;
  page.on('request', (request) => {
    if (request.url() === `${origin}/token`) tokens += 1;
  });

  await page.goto(origin);
  const says = (text: string) =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  await says('Open');
  const studio = page.frameLocator('iframe');
  const frame = page.frame({ url: /studio\/embed/ });
  const name = studio.getByLabel('Name of the template');
  const rename = async (text: string): Promise<void> => {
    await name.fill(text);
    await name.press('Enter');
  };
  t.equal(await name.inputValue(), 'Embedded');
  for (const link of ['All templates', 'Campaign', 'Share']) {
    t.equal(await studio.getByText(link).count(), 0, `${link} leads out of the template`);
  }
  t.equal(await studio.getByRole('link', { name: 'All templates' }).count(), 0);
  t.same(await accessibilityProblems(page), []);

  await rename('Renamed in the frame');
  await page.getByText(/^Saved /).waitFor();
  const { cid, name: saved } = await client.getTemplate(uid);
  await says(`Saved ${cid}`);
  t.same([saved, tokens], ['Renamed in the frame', 1]);

  let refused = 0;
  await page.route(`${base}/v1/templates/${uid}`, async (route) => {
    if (route.request().method() !== 'PUT' || refused > 0) return route.fallback();
    refused += 1;
    return route.fulfill({ status: 401, json: { error: 'Invalid API key' } });
  });
  await frame?.evaluate(() => {
    globalThis.postMessage({ type: 'platen:token', token: 'of nobody' }, '*');
  });
  await rename('Saved with another token');
  await studio.locator('.save-note[data-state="saved"]').waitFor();
  await page.waitForFunction(`document.querySelector('p').textContent !== 'Saved ${cid}'`);
  t.same([refused, tokens], [1, 2], 'the page around the frame was asked for another token');
  t.equal((await client.getTemplate(uid)).name, 'Saved with another token');

  await studio.getByRole('button', { name: 'Publish', exact: true }).click();
  const pages = studio.locator('.publish-pages button');
  await pages.first().waitFor();
  t.same(await pages.allTextContents(), ['Changes', 'Versions'], 'links are not its business');
  await publishDraft(studio);
  await says('Published version 1');
  t.equal((await client.getTemplate(uid)).version, 1);
  const stored = await frame?.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
  t.match(stored, /^\[\{/);
  t.notMatch(stored, 'embed_', 'no token is stored');
  t.same(complaints, []);

  const other = await browser.newPage();
  const isRefusal = { predicate: (message: ConsoleMessage) => /frame-anc/.test(message.text()) };
  const refusal = other.waitForEvent('console', isRefusal);
  await other.setContent(`<iframe src="${base}/studio/embed"></iframe>`);
  t.match((await refusal).text(), base, 'a page of an origin that is not listed');
  const { headers } = await fetch(`${base}/studio`);
  t.match(headers.get('content-security-policy'), "frame-ancestors 'none'");
});
