/** Gets a page to where the parts of the studio are tested. */
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { demoKey } from '../e2e/service.ts';

/** A context in which the studio is signed in as the demo organization. `height` is that of the window, CSS pixels. */
export async function studioContext(browser: Browser, height = 720): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height } });
  await context.addInitScript(
    `sessionStorage.setItem('platen-studio-key', ${JSON.stringify(demoKey)})`,
  );
  return context;
}

/** Signs in as the demo organization and waits for the gallery. */
export async function signIn(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/studio`);
  await page.getByLabel('API key').fill(demoKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Templates' }).waitFor();
}

/** Waits until the draft is `saved`, `offline` … */
export async function becomes(page: Page, state: string): Promise<void> {
  await page.locator(`.save-note[data-state="${state}"]`).waitFor();
}

/** Publishes in the open dialog, with the warnings that the sets of sample data have. */
export async function publishDraft(page: Page | FrameLocator): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await confirmWarnings(page);
}

/** Waits for the publication that was begun, and confirms the warnings that the sets of sample data have. */
export async function confirmWarnings(page: Page | FrameLocator): Promise<void> {
  const dialog = page.getByRole('dialog');
  const again = dialog.getByRole('button', { name: 'Publish all the same' });
  await again.or(dialog.locator('.news')).first().waitFor();
  if (await again.isVisible()) await again.click();
}
