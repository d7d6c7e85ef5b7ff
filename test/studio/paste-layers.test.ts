/** Pasted layers keep their bindings to lists, and land in sight. */
import t from 'tap';
import type { ListField, ListVariable, Template } from '#language/schema/template.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import { bringVariables } from '../../src/studio/canvas/clipboard.ts';
import { demoKey, shareService } from '../e2e/service.ts';
import { validTemplate } from '../helpers/render.ts';
import { skipsPages, startBrowser, watchPage } from '../helpers/browser.ts';
import { openCanvas } from './canvas-page.ts';
import { studioContext } from './studio-page.ts';

const title: ListField = { name: 'title', type: 'text', value: 'Thing' };
const price: ListField = { name: 'price', type: 'number', value: '1' };

function items(fields: ListField[], value: ListVariable['value']): ListVariable {
  return { name: 'items', type: 'list', fields, value };
}

/** A list of titles, and a stack that repeats it with prices. */
const stack = {
  id: 'cart',
  type: 'stack',
  x: 0,
  y: 0,
  width: 200,
  height: 'hug',
  repeat: { list: 'items', max: 3 },
  layers: [{ id: 'sum', type: 'text', width: 'hug', height: 'hug', text: '{{item.price}}' }],
};

function pastedInto(known: ListVariable, brought: ListVariable): Template {
  const draft = structuredClone({
    format: 1,
    name: 'Cart',
    width: 400,
    height: 300,
    variables: [known],
    layers: [stack],
  }) as unknown as Template;
  bringVariables(draft, ['cart'], structuredClone([brought]));
  return validTemplate(draft);
}

t.test('a list of the same name gets the fields that it lacks, with their values', (t) => {
  const known = items([title], [{ title: 'Tea' }, { title: 'Cup' }, { title: 'Pot' }]);
  const brought = items([price], [{ price: '3' }, {}]);
  const { variables, layers } = pastedInto(known, brought);
  t.same(variables, [
    items([title, price], [{ title: 'Tea', price: '3' }, { title: 'Cup' }, { title: 'Pot' }]),
  ]);
  t.match(layers, [{ repeat: { list: 'items' } }]);
  t.end();
});

t.test('a list with a field of another type, or too many of them, is a new one', (t) => {
  const text: ListField = { name: 'price', type: 'text', value: 'free' };
  const many = Array.from({ length: 20 }, (_, at) => ({ ...title, name: `field ${at}` }));
  for (const known of [items([text], []), items(many, [])]) {
    const brought = items([price], [{ price: '3' }]);
    const { variables, layers } = pastedInto(known, brought);
    t.same(variables, [known, { ...brought, name: 'items2' }]);
    t.match(layers, [{ repeat: { list: 'items2' } }]);
  }
  t.end();
});

t.test('a clock comes along into a document without a deadline', (t) => {
  const days = { id: 'days', type: 'text', x: 0, y: 0, width: 90, height: 20 };
  const clock = { until: '{{end}}', zone: 'Europe/Berlin' };
  const end = { name: 'end', type: 'date', value: '2099-01-01' } as const;
  const pasted = (more: Partial<Template>): Template => {
    const draft = structuredClone({
      format: 1,
      name: 'Sale',
      width: 400,
      height: 300,
      variables: [],
      ...more,
      layers: [{ ...days, text: '{{countdown.days}} d' }],
    }) as Template;
    bringVariables(draft, ['days'], structuredClone([end]), structuredClone(clock));
    return validTemplate(draft);
  };
  t.match(pasted({}), { clock, variables: [end] });
  t.same(pasted({ clock: { zone: 'Asia/Tokyo' } }).clock, { ...clock, zone: 'Asia/Tokyo' });
  const other = pasted({ clock: { until: 'friday 18:00' } });
  t.same([other.clock, other.variables], [{ until: 'friday 18:00' }, []], 'its own counts');
  const contact = { name: 'contact', type: 'text', value: '' } as const;
  const share = (more: Partial<Template>): Template => {
    const layers = [{ ...days, text: '{{share}}' }];
    const whole = { format: 1, name: 'Sale', width: 400, height: 300, variables: [], layers };
    const draft = structuredClone({ ...whole, ...more }) as unknown as Template;
    const brought = structuredClone([end, contact]);
    bringVariables(draft, ['days'], brought, { ...clock, per: '{{contact}}' });
    return validTemplate(draft);
  };
  t.match(share({ clock: { until: 'friday 18:00' } }), {
    clock: { until: 'friday 18:00', per: '{{contact}}' },
    variables: [contact],
  });
  t.match(share({}), { clock: { until: '{{end}}', per: '{{contact}}' } });
  const text = { name: 'end', type: 'text', value: 'soon' } as const;
  t.match(pasted({ variables: [text] }), {
    clock: { until: '{{end2}}' },
    variables: [text, { name: 'end2', type: 'date' }],
  });
  t.end();
});

t.test('layers are pasted', { skip: skipsPages }, async (t) => {
  const { base } = await shareService();
  const page = await (await studioContext(await startBrowser(t))).newPage();
  const complaints = watchPage(page, base);
  const { keyboard } = page;

  t.test('a stack that repeats keeps its bindings in another template', async (t) => {
    const from = { variables: [items([title, price], [{ title: 'Tea', price: '3' }])] };
    await openCanvas(page, base, 'paste-from', [stack], from);
    await page.locator('[data-layer="cart"]').click();
    await keyboard.press('Control+c');
    const to = { variables: [items([title], [{ title: 'Cup' }])] };
    const canvas = await openCanvas(page, base, 'paste-to', [], to);
    await canvas.focus();
    await keyboard.press('Control+v');
    t.match(await canvas.find('sum'), { text: '{{item.price}}' });
    t.same(complaints.splice(0), []);
  });

  t.test(
    'layers that hug or bind their position land in the middle by their drawn size',
    async (t) => {
      const side = { type: 'rect', width: 100, height: 60, fill: '#333333' };
      const row = {
        id: 'row',
        type: 'stack',
        direction: 'row',
        x: 380,
        y: 290,
        width: 'hug',
        height: 'hug',
        layers: [
          { ...side, id: 'one' },
          { ...side, id: 'two' },
        ],
      };
      const bound = { ...side, id: 'bound', x: '{{left}}', y: 40 };
      const variables = [{ name: 'left', type: 'number', value: '900' }];
      await openCanvas(page, base, 'paste-drawn', [row, bound], { variables });
      await page.locator('[data-layer="row"]').click();
      await keyboard.press('Control+c');
      const canvas = await openCanvas(page, base, 'paste-row', []);
      await canvas.focus();
      await keyboard.press('Control+v');
      t.match(await canvas.layer('row'), { x: 100, y: 120, width: 'hug' });
      await page.goto(`${base}/studio#/t/paste-drawn`);
      await page.locator('[data-layer="bound"]').click();
      await page.waitForSelector('.canvas-sheet img');
      await keyboard.press('Control+c');
      const other = await openCanvas(page, base, 'paste-bound', []);
      await other.focus();
      await keyboard.press('Control+v');
      t.match(await other.layer('bound'), { x: 150, y: 120 });
      t.same(complaints.splice(0), []);
    },
  );

  t.test('layers of turned groups stay where they are seen', async (t) => {
    const side = { type: 'rect', width: 100, height: 60, fill: '#333333' };
    const sides = { x: 150, y: 100, width: 100, height: 100 };
    const inner = { ...sides, x: 0, y: 0 };
    const group = {
      id: 'turned',
      type: 'group',
      ...sides,
      rotation: 90,
      layers: [
        { ...side, id: 'in', x: 0, y: 0, rotation: 10 },
        { ...inner, id: 'pile', type: 'stack', layers: [{ ...side, id: 'piled' }] },
      ],
    };
    await openCanvas(page, base, 'paste-turned', [group]);
    const paste = async (id: string): Promise<unknown> => {
      await page.goto(`${base}/studio#/t/paste-turned`);
      await page.locator(`[data-layer="${id}"]`).click();
      await page.waitForSelector('.canvas-sheet img');
      await keyboard.press('Control+c');
      const canvas = await openCanvas(page, base, `paste-${id}`, []);
      await canvas.focus();
      await keyboard.press('Control+v');
      return canvas.layer(id);
    };
    // The middle, (200, 130), is seen at (220, 150).
    const seen = { x: 170, y: 120, width: 100, height: 60 };
    t.match(await paste('in'), { ...seen, rotation: 100 });
    t.match(await paste('piled'), { ...seen, rotation: 90 });
    t.same(complaints.splice(0), []);
  });

  t.test('a countdown keeps its deadline in another template', async (t) => {
    const box = { type: 'text', x: 0, y: 0, width: 200, height: 40 };
    const left = { ...box, id: 'left', text: '{{countdown.days}} d' };
    const clock = { until: '2099-01-01T00:00:00Z' };
    await openCanvas(page, base, 'paste-clock', [left], { clock });
    await page.locator('[data-layer="left"]').click();
    await keyboard.press('Control+c');
    const canvas = await openCanvas(page, base, 'paste-timeless', []);
    await canvas.focus();
    await keyboard.press('Control+v');
    t.match(await canvas.find('left'), { text: '{{countdown.days}} d' });
    const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
    t.match(await client.getTemplateDocument('paste-timeless'), { clock });
    t.same(complaints.splice(0), []);
  });

  t.test('a layer whose middle is out of sight lands in the middle of what is seen', async (t) => {
    const edge = {
      id: 'edge',
      type: 'rect',
      x: -75,
      y: 10,
      width: 80,
      height: 40,
      fill: '#333333',
    };
    const far = { id: 'far', type: 'rect', x: 300, y: 200, width: 40, height: 20, fill: '#20639b' };
    const canvas = await openCanvas(page, base, 'paste-sight', [edge, far]);
    await page.locator('[data-layer="edge"]').click();
    await keyboard.press('Control+c');
    await keyboard.press('Control+v');
    t.match(await canvas.layer('edge-2'), { x: 160, y: 130 }, 'of the canvas');
    await page.locator('[data-layer="far"]').click();
    await keyboard.press('Shift+2');
    await keyboard.press('Control+v');
    // The zoom, 8, leaves more space to the bars at the top: the layer is 13 px below the middle of the window.
    t.match(await canvas.layer('edge-3'), { x: 280, y: 188 }, 'of what the window shows');
    await page.locator('[data-layer="far"]').click();
    await keyboard.press('Control+c');
    await keyboard.press('Control+v');
    t.match(await canvas.layer('far-2'), { x: 310, y: 210 }, 'one in sight stays');
    const wide = { ...far, id: 'wide', x: 120, y: 20, width: 360 };
    await openCanvas(page, base, 'paste-wide', [wide], { width: 600 });
    await page.locator('[data-layer="wide"]').click();
    await keyboard.press('Control+c');
    const other = await openCanvas(page, base, 'paste-fits', []);
    await other.focus();
    await keyboard.press('Control+v');
    t.match(await other.layer('wide'), { x: 40, y: 20 }, 'one of a larger canvas lies inside');
    t.same(complaints.splice(0), []);
  });
});
