/** The defaults that the publish dialog asks for, in a browser. */
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { confirmWarnings, studioContext } from './studio-page.ts';

t.test(
  'before the first publication the person of a design is asked for, and Enter publishes',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    const page = await (await studioContext(await startBrowser(t))).newPage();
    const complaints = watchPage(page, base);
    const text = { type: 'text' as const, x: 0, width: 300, height: 40, fontSize: 20 };
    await client.createTemplate(
      {
        format: 1,
        name: 'Persons',
        width: 300,
        height: 120,
        background: '#ffffff',
        variables: [
          { name: 'first_name', type: 'text', value: 'Amanda' },
          { name: 'last_name', type: 'text', value: 'Unused' },
          { name: 'offer', type: 'text', value: '25 % off' },
        ],
        layers: [{ ...text, id: 'hello', y: 10, text: '{{first_name}}, {{offer}}' }],
      },
      { uid: 'publish-defaults' },
    );
    await page.goto(`${base}/studio#/t/publish-defaults`);
    await page.locator('.canvas-sheet img').waitFor();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    const defaults = dialog.getByRole('group', { name: 'Shown if a link has no value' });
    await defaults.waitFor();
    t.equal(await defaults.getByRole('textbox').count(), 1, 'no offer, and no unused variable');
    const field = defaults.getByLabel('first_name');
    t.equal(await field.inputValue(), 'Amanda');
    t.same(await accessibilityProblems(page), []);
    const drawn = page.waitForRequest((request) => {
      const isImage = request.headers()['accept']?.includes('json') !== true;
      const isPreview = request.url().endsWith('/v1/preview') && isImage;
      return isPreview && request.postData()?.includes('"value":"friend"') === true;
    });
    await field.fill('friend');
    await field.press('Enter');
    await drawn;
    await confirmWarnings(page);
    await dialog.getByText('Version 1 is public').waitFor();
    const { variables } = await client.getTemplateDocument('publish-defaults', { version: 1 });
    t.match(variables, [{ name: 'first_name', value: 'friend' }]);

    await dialog.getByRole('button', { name: 'Changes' }).click();
    await dialog.getByRole('button', { name: 'Nothing to publish' }).waitFor();
    t.equal(await defaults.count(), 0, 'a person that was published is meant');
    t.same(complaints.splice(0), []);
  },
);

t.test(
  'the draft in the dialog follows a typed default, and Mod+Enter publishes it',
  { skip: skipsPages },
  async (t) => {
    const { base } = await shareService();
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    const page = await (await studioContext(await startBrowser(t))).newPage();
    const complaints = watchPage(page, base);
    await client.createTemplate(
      {
        format: 1,
        name: 'Typed defaults',
        width: 300,
        height: 120,
        background: '#ffffff',
        variables: [{ name: 'name', type: 'text', value: 'name', maxLength: 10 }],
        layers: [
          {
            id: 'hello',
            type: 'text',
            x: 0,
            y: 10,
            width: 300,
            height: 40,
            fontSize: 20,
            text: 'Hi {{name}}',
          },
        ],
      },
      { uid: 'typed-defaults' },
    );
    await page.goto(`${base}/studio#/t/typed-defaults`);
    await page.locator('.canvas-sheet img').waitFor();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('name', { exact: true });
    const warning = dialog.getByText('Readers without a value see “name”.');
    await warning.waitFor();
    t.equal(await field.getAttribute('aria-describedby'), await warning.getAttribute('id'));
    t.same(await accessibilityProblems(page), []);
    const draft = dialog.getByAltText('The draft');
    await draft.waitFor();
    const before = await draft.getAttribute('src');
    await field.focus();
    await page.keyboard.type('friend');
    await warning.waitFor({ state: 'detached' });
    await dialog.locator(`.review-image img:not([src="${before}"])`).waitFor();
    await dialog.locator('.review-images[data-old="false"]').waitFor();
    t.ok(await dialog.locator('input:focus').count(), 'the field keeps the focus');
    t.equal(await field.inputValue(), 'friend');
    await page.keyboard.type('s of mine');
    const refusal = dialog.getByText('The limit is at most 10 characters.');
    await refusal.waitFor();
    t.equal(await field.getAttribute('aria-describedby'), await refusal.getAttribute('id'));
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    t.ok(await refusal.isVisible(), 'what is refused is not published');
    await field.focus();
    await page.keyboard.press('End');
    for (let letter = 0; letter < 8; letter += 1) await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Enter');
    await confirmWarnings(page);
    await dialog.getByText('Version 1 is public').waitFor();
    const { variables } = await client.getTemplateDocument('typed-defaults', { version: 1 });
    t.match(variables, [{ name: 'name', value: 'friends' }]);
    t.same(complaints, []);
  },
);
