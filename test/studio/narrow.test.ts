/** The studio at 390 px: nothing is wider than the screen; values, publishing and sharing work. */
import t from 'tap';
import { shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser } from '../helpers/browser.ts';
import { saveCanvas, startStudio } from './canvas-page.ts';

const box = { x: 20, y: 20, width: 360, height: 80, fontSize: 48 };
const size = { width: 400, height: 200 };

t.test('a phone', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const studio = await startStudio(t, 'narrow', await startBrowser(t), base, 844);
  const { page, client, claim } = studio;
  await page.setViewportSize({ width: 390, height: 844 });
  const isWithin = (): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= 390');

  const shown = page.locator('.narrow-image img');
  /** Acts, and waits until the image has followed. */
  const follows = async (act: () => Promise<void>): Promise<void> => {
    const before = await shown.getAttribute('src');
    await act();
    await shown.and(page.locator(`:not([src="${before}"])`)).waitFor();
  };

  claim('previews, publishes and shares', async (t) => {
    const others = Array.from({ length: 9 }, (_, index) => `other${index}`);
    const variables = ['name', ...others].map((name) => ({ name, type: 'text', value: 'Ann' }));
    const text = { id: 'a', type: 'text', ...box, text: 'Hi {{name}}' };
    await saveCanvas(base, 'narrow', [text], { ...size, variables });
    for (const name of ['Brand kit', 'Campaigns']) {
      await page.goto(`${base}/studio#/${name.split(' ')[0]?.toLowerCase()}`);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      t.ok(await isWithin(), name);
    }
    await page.goto(`${base}/studio#/`);
    await page.getByLabel('Search by name or uid').fill('narrow');
    t.ok(await isWithin(), 'the gallery');
    await page.setViewportSize({ width: 390, height: 664 });
    await page.getByRole('button', { name: 'New template' }).click();
    await page.locator('.design').first().waitFor();
    const scrolled = `[...document.querySelectorAll('dialog, dialog *')].filter(({ scrollTop }) => scrollTop > 0).length`;
    t.equal(await page.evaluate(scrolled), 0, 'a dialog opens at its top');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open narrow' }).click();
    const image = page.getByAltText('Preview of narrow');
    await image.waitFor();
    t.ok(await isWithin(), 'the preview');
    const [above, below] = await Promise.all(
      [image, page.getByRole('heading', { name: 'Values' })].map((each) => each.boundingBox()),
    );
    t.ok((above?.y ?? 0) + (above?.height ?? 0) <= (below?.y ?? 0), 'nothing lies over the image');
    t.same(await accessibilityProblems(page), []);
    await page.getByText('Editing wants a larger screen.').waitFor();
    const version = page.locator('.version');
    await version.and(page.getByText('Not published')).waitFor();
    await follows(() => page.getByLabel('Preview with as name').fill('Bea'));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    t.ok(await isWithin(), 'publishing');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText(/^Publish although \d sets? of sample data ha.* warnings\?$/).waitFor();
    t.ok(await isWithin(), 'the question');
    t.same(await accessibilityProblems(page), []);
    await dialog.getByRole('button', { name: 'Publish all the same' }).click();
    await dialog.getByRole('button', { name: 'Link', exact: true, disabled: false }).click();
    await dialog.getByText('/v1/render/narrow').first().waitFor();
    t.ok(await isWithin(), 'sharing');
    await page.keyboard.press('Escape');
    await version.getByText('Live', { exact: true }).waitFor();
    t.equal(await version.innerText(), 'Live');
    await page.getByLabel('Name of the template').fill('A long name of a template on a phone');
    await page.getByLabel('Name of the template').blur();
    await version.and(page.getByText('1 unpublished change')).waitFor();
    t.equal(await version.innerText(), '1 unpublished change');
    t.ok(await isWithin(), 'the bar');
    t.same(await accessibilityProblems(page), []);
  });

  claim('says why the image does not follow', async (t) => {
    const text = { id: 'a', type: 'text', ...box, text: '{{price}} for {{name}}' };
    const variables = [
      { name: 'price', type: 'number', value: '12', min: 0, max: 100 },
      { name: 'name', type: 'text', value: 'Ann', maxLength: 5 },
    ];
    await saveCanvas(base, 'narrow-values', [text], { ...size, variables });
    await client.publishTemplate('narrow-values');
    await page.goto(`${base}/studio#/t/narrow-values`);
    await page.getByAltText('Preview of narrow-values').waitFor();
    const bar = page.getByRole('main').getByRole('alert');
    const near = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('.p-problem');
    const price = page.getByLabel('Preview with as price');
    const name = page.getByLabel('Preview with as name');

    await follows(() => name.fill('Bea'));
    await price.fill('120');
    await price.blur();
    await near('price').getByText('The limit is 0 to 100.').waitFor();
    t.equal(await bar.count(), 0, 'the service is not asked');
    t.equal(await price.getAttribute('aria-invalid'), 'true');
    await price.fill('');

    // A value of before the variable had its limits.
    await page.evaluate(
      'sessionStorage["platen-studio:narrow-values"] = `{"values":{"price":"120","name":"Bea"}}`',
    );
    await page.reload();
    const reason = 'The value of “price” is not a number from 0 to 100.';
    await near('price').getByText(reason).waitFor();
    await bar.getByText(reason).waitFor();
    t.equal(await near('name').count(), 0, 'the other value is right');
    t.same(await accessibilityProblems(page), []);
    t.equal(await isWithin(), true);
    await bar.getByRole('button', { name: 'Show the default' }).click();
    await bar.waitFor({ state: 'detached' });
    t.equal(await price.inputValue(), '');
    t.equal(await name.inputValue(), 'Bea', 'what is right stays');

    await page.route('**/v1/preview', (route) => route.abort());
    await price.fill('7');
    await bar.getByText('The service does not answer.').waitFor();
    await page.unroute('**/v1/preview');
    await follows(() => bar.getByRole('button', { name: 'Try again' }).click());
    await bar.waitFor({ state: 'detached' });

    await page.route('**/v1/templates/narrow-values', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 400, json: { error: 'The document is not wanted.' } })
        : route.continue(),
    );
    await page.getByLabel('Name of the template').fill('Prices');
    await page.getByLabel('Name of the template').blur();
    await bar.getByText('The document is not wanted.').waitFor();
    await bar.getByRole('button', { name: 'Undo' }).click();
    await bar.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Nothing to publish' });
    await dialog.getByAltText('Draft').waitFor();
    for (const height of [844, 800, 760, 720, 680]) {
      await page.setViewportSize({ width: 390, height });
      const [field, below] = await Promise.all(
        [dialog.getByLabel('Note, for people'), button].map((each) => each.boundingBox()),
      );
      t.ok((field?.y ?? 0) + (field?.height ?? 0) <= (below?.y ?? 0), `the note, at ${height} px`);
    }
    // The browser logs refused and failed requests.
    studio.complaints.splice(0);
  });
});
