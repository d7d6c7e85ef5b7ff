/** A page of the studio that a whole file of tests uses. */
import type { Browser, Page } from 'playwright-core';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { TemplateDocument } from '../../src/client/platen-client.ts';
import { demoKey } from '../e2e/service.ts';
import { watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import type { CanvasPage } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

/** A page of the studio, signed in as the demo organization. */
export interface Studio {
  base: string;
  page: Page;
  client: PlatenClient;
  /** Opens a page of the studio, such as `#/brand`. */
  show(hash: string): Promise<void>;
  /** Saves a template of these layers and opens it in the editor, as `openCanvas` does. */
  edit(uid: string, layers: readonly object[], more?: object): Promise<CanvasPage>;
  /** Saves and publishes a document of 400 by 300 with these properties. */
  publish(uid: string, more?: object): Promise<TemplateDocument>;
  /** Returns what the page did that it must not, since the last call: see `watchPage`. */
  complaints(): string[];
}

/** Opens a page whose clipboard tests may use. `height` is that of the window, CSS pixels. */
export async function openStudio(
  browser: Browser,
  { base }: { base: string },
  height?: number,
): Promise<Studio> {
  const context = await studioContext(browser, height);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  return {
    base,
    page,
    client,
    show: async (hash) => void (await page.goto(`${base}/studio${hash}`)),
    edit: (uid, layers, more) => openCanvas(page, base, uid, layers, more),
    async publish(uid, more) {
      const size = { width: 400, height: 300, background: '#ffffff' };
      const document = { format: 1, name: uid, ...size, variables: [], layers: [], ...more };
      await client.createTemplate(document as TemplateDocument, { uid });
      await client.publishTemplate(uid);
      return client.getTemplateDocument(uid);
    },
    complaints: () => complaints.splice(0),
  };
}
