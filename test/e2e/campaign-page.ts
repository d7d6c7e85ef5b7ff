/** Files and requests of the campaign page of the studio. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

/** Drops a file on the field of the page. */
export async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (each) => each.charCodeAt(0));
    transfer.items.add(new File([bytes], '${name}', { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.dispatchEvent('.drop-list', 'drop', { dataTransfer });
}

/** Chooses a list as a file. */
export function choose(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  return page.setInputFiles('.drop-list input:enabled', file);
}

/** Waits for the campaign of a workbook, and answers which of its sheets is the list. */
export async function chooseSheet(page: Page, file: string, sheet: string): Promise<void> {
  await page.getByRole('heading', { name: file }).waitFor();
  await page.getByRole('combobox', { name: 'Sheet' }).selectOption(sheet);
  await page.getByRole('button', { name: 'Use this sheet' }).click();
}

/** Holds requests back; the result lets them go. */
export async function hold(page: Page, isHeld: (url: URL) => boolean): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(isHeld, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Pixels of an image. */
export function widthOf(image: Locator): Promise<number> {
  return image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth);
}

/** Presses the button that downloads a file; resolves to its bytes, as long as it has this name. */
export async function download(page: Page, file: string, name: string): Promise<Buffer> {
  const button = page.getByRole('button', { name: `Download ${file}` });
  await button.waitFor();
  const [downloaded] = await Promise.all([page.waitForEvent('download'), button.click()]);
  assert.equal(downloaded.suggestedFilename(), name);
  return readFile(await downloaded.path());
}
