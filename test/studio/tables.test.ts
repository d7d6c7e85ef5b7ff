/** A variable of a data table in a browser: its form, and the preview with a sample id. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { demoKey, eventually, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { becomes, studioContext } from './studio-page.ts';

t.test('a variable takes its value from a table', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const headers = { 'X-API-Key': demoKey };
  const call = (path: string, method: string, body: string): Promise<Response> =>
    fetch(`${base}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
  await call('/v1/tables/members?key=id', 'PUT', 'id,name,points\n8f2c,Amanda,1250\n');
  const document: Template = {
    format: 1,
    name: 'points',
    width: 400,
    height: 200,
    background: '#ffffff',
    variables: [
      { name: 'id', type: 'text', value: '' },
      { name: 'name', type: 'text', value: 'friend' },
    ],
    layers: [
      {
        id: 'a',
        type: 'text',
        x: 20,
        y: 20,
        width: 360,
        height: 80,
        text: '{{name}}',
        fontSize: 40,
      },
    ],
  };
  await call('/v1/templates?uid=points', 'POST', JSON.stringify(document));

  const context = await studioContext(await startBrowser(t));
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  const sent: string[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/v1/preview')) {
      answer.text().then(
        (text) => sent.push(text),
        () => undefined,
      );
    }
  });
  await page.goto(`${base}/studio#/t/points`);
  await page.locator('.canvas-sheet img').first().waitFor();
  await page.click('#tab-Variables');
  await page.locator('[data-variable="name"] .p-variable-name').click();
  const { keyboard } = page;
  const settings = page.locator('[data-variable="name"]');
  const choice = (label: string) => settings.getByLabel(label, { exact: true });
  /** Chooses an option by its first letters, as people do with the keyboard. */
  const type = async (label: string, letters: string): Promise<void> => {
    await choice(label).focus();
    await keyboard.type(letters);
  };
  const optionsOf = (label: string): Promise<string[]> =>
    choice(label).locator('option').allTextContents();
  await choice('Table').locator('option', { hasText: 'members' }).waitFor({ state: 'attached' });
  t.equal(await choice('Column').count(), 0, 'without a table there is no column');
  await type('Table', 'mem');
  t.equal(await choice('Row whose key is').inputValue(), 'id', 'the variable named as the keys');
  t.same(await optionsOf('Column'), ['id', 'name', 'points']);
  t.equal(await choice('Column').inputValue(), 'name', 'the column named as the variable');
  t.equal(
    await choice('Table').evaluate((each) => each === globalThis.document.activeElement),
    true,
  );
  await page
    .getByText('Comes from the column name of the table members, in the row of id.')
    .waitFor();
  await becomes(page, 'saved');
  await page.locator('[data-variable="id"] .p-sample textarea').fill('8f2c');
  t.ok(
    await eventually(() => sent.some((text) => text.includes('"Amanda"'))),
    'the preview draws the row of the sample',
  );
  await page.locator('[data-variable="name"]').scrollIntoViewIfNeeded();
  t.same(await accessibilityProblems(page), []);

  await call('/v1/tables/members?key=id', 'PUT', 'id,points\n8f2c,1250\n');
  await page.reload();
  await page.click('#tab-Variables');
  await settings.locator('.p-variable-name').click();
  await settings.locator('[aria-invalid="true"]').waitFor();
  t.same(await optionsOf('Column'), ['name (missing)', 'id', 'points']);
  await type('Column', 'poi');
  await becomes(page, 'saved');
  await call('/v1/tables/members', 'DELETE', '');
  await page.reload();
  await page.click('#tab-Variables');
  await settings.locator('.p-variable-name').click();
  await settings
    .getByText('Send a CSV or an Excel file to the people who run this service')
    .waitFor();
  const command = settings.getByText('platen tables put');
  t.notOk(await command.isVisible(), 'the command is for operators');
  await settings.getByText('For the people who run this service').click();
  await command.waitFor();
  t.same(await optionsOf('Table'), ['None: the link gives it', 'members (missing)']);
  t.equal(await choice('Column').inputValue(), 'points', 'the rest of the source stays');
  t.same(await accessibilityProblems(page), []);
  await type('Table', 'None');
  await page.locator('[data-variable="name"] .p-sample textarea').waitFor();
  t.same(complaints, []);
});
