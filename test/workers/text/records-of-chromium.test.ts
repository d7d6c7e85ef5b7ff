/** The installed Chromium does what the records of `test/fixtures/chromium` say. */
import t from 'tap';
import orders from '../../fixtures/chromium/orders.json' with { type: 'json' };
import parts from '../../fixtures/chromium/parts.json' with { type: 'json' };
import { skipsPages, startBrowser } from '../../helpers/browser.ts';
import { browserOrder, browserParts } from '../../helpers/browser-order.ts';

t.test('Chromium orders and breaks texts as recorded', { skip: skipsPages }, async (t) => {
  const page = await (await startBrowser(t)).newPage();
  for (const record of orders.records)
    t.equal(await browserOrder(page, record), record.order, record.text);
  for (const record of parts.records)
    t.same(await browserParts(page, record), record.parts, record.text);
});
