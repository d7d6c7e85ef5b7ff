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
    fetch(`${base}${path}`, { method, headers, body });
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
  const field = page.getByLabel('From table');
  const proposals = page.locator('[data-variable="name"] datalist option');
  t.ok(
    await eventually(async () => (await proposals.count()) === 2),
    'each column is proposed, but the keys',
  );
  t.equal(await proposals.first().getAttribute('value'), 'members.{{id}}.name');
  await field.fill('members.{{id}}.name');
  await field.press('Enter');
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
  await field.fill('');
  await field.press('Enter');
  await page.locator('[data-variable="name"] .p-sample textarea').waitFor();
  t.same(complaints, []);
});
