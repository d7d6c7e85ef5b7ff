/** Share while its link, its code and its images lack what is typed, in a browser. */
import t from 'tap';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { accessibilityProblems, skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { studioContext } from './studio-page.ts';

const line = { type: 'text' as const, x: 20, y: 20, width: 300, height: 40, fontSize: 20 };

t.test('nothing of Share can be used while a value is refused', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  await client.createTemplate(
    {
      format: 1,
      name: 'Refused',
      width: 400,
      height: 200,
      variables: [
        { name: 'who', type: 'text', value: 'Ann', maxLength: 200 },
        { name: 'price', type: 'number', value: '12', max: 100 },
        {
          name: 'items',
          type: 'list',
          fields: [{ name: 'count', type: 'number', value: '1' }],
          value: [{ count: '1' }],
        },
      ],
      layers: [
        { ...line, id: 'a', text: '{{who}} {{price}}' },
        {
          id: 'b',
          type: 'stack',
          x: 20,
          y: 80,
          width: 300,
          height: 'hug',
          repeat: { list: 'items' },
          layers: [
            { id: 'c', type: 'text', width: 300, height: 24, fontSize: 16, text: '{{item.count}}' },
          ],
        },
      ],
    },
    { uid: 'share-refused' },
  );
  await client.publishTemplate('share-refused');
  const context = await studioContext(await startBrowser(t));
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  const page = await context.newPage();
  const complaints = watchPage(page, base);
  await page.goto(`${base}/studio#/t/share-refused`);
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  const share = page.getByRole('dialog', { name: 'Share' });
  const who = share.getByLabel('who', { exact: true });
  const link = share.locator('.copy-text', { hasText: 'Open the image' });
  const actions = share.locator('.copy-head > :is(button, a), .share-code > a');
  const marked = share.locator('[data-old="true"]');
  const clipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
  /** Waits until a part of the actions, `all` or `none`, is off. */
  const areOff = async (part: 'all' | 'none'): Promise<void> => {
    const other = part === 'all' ? 'false' : 'true';
    const exception = actions.and(share.locator(`[aria-disabled="${other}"]`));
    await exception.first().waitFor({ state: 'detached' });
  };
  await who.fill('Maria');
  await share.locator('.share-code-image[aria-busy="false"] img').waitFor();
  await areOff('none');
  t.ok((await actions.count()) >= 6, 'the link, three snippets and the code');
  await marked.first().waitFor({ state: 'detached' });
  await share.getByRole('button', { name: 'Copy Link' }).click();
  t.match(await clipboard(), /\?who=Maria$/);

  const { y: before } = (await who.boundingBox()) ?? {};
  await who.fill('x'.repeat(201));
  await areOff('all');
  const reason = share.getByText('The link is without the typed who. The limit is at most 200');
  await reason.waitFor();
  t.equal((await who.boundingBox())?.y, before, 'the field stays where it is');
  const described = await link.getByRole('button').getAttribute('aria-describedby');
  t.equal(await reason.getAttribute('id'), described);
  t.equal(await link.getByRole('link').getAttribute('href'), null);
  t.equal(await share.locator('.share-code > a').getAttribute('href'), null);
  for (const part of ['.copy-text', '.share-image', '.share-code-image']) {
    t.equal(await share.locator(part).first().getAttribute('data-old'), 'true', part);
  }
  t.same(await accessibilityProblems(page), []);
  await page.evaluate("navigator.clipboard.writeText('nothing')");
  await share.getByRole('button', { name: 'Copy Link' }).click({ force: true });
  t.equal(await clipboard(), 'nothing', 'the link of another person is not copied');

  await who.fill('x'.repeat(200));
  await areOff('none');
  t.equal(await reason.count(), 0);
  await share.getByRole('button', { name: 'Copy Link' }).click();
  t.match(await clipboard(), `?who=${'x'.repeat(200)}`);
  await who.fill('');

  // A number is a problem only when it is left, but the link never has it.
  await share.getByLabel('price', { exact: true }).focus();
  await page.keyboard.type('150');
  await areOff('all');
  await share.getByText('The link is without the typed price.').waitFor();
  await page.keyboard.press('Backspace');
  await areOff('none');

  const count = share.getByLabel('Item 1: count');
  await count.fill('many');
  await areOff('all');
  await share.getByText('The link is without the typed Item 1: count.').waitFor();
  await count.fill('3');
  await areOff('none');
  t.same(complaints, []);
});
