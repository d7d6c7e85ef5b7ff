/** Works on the canvas of the studio as a person does: points, drags, and reads what was saved. */
import type { Browser, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Point } from '../../src/studio/canvas/geometry.ts';
import { findPosition } from '../../src/studio/state/layers.ts';
import { PlatenClient } from '../../src/client/platen-client.ts';
import type { TemplateDocument } from '../../src/client/platen-client.ts';
import { decodeImage } from '../e2e/image-bytes.ts';
import { demoKey, eventually } from '../e2e/service.ts';
import { watchPage } from '../helpers/browser.ts';
import { mixedLayers } from './built-layers.ts';
import { studioContext } from './studio-page.ts';

const size = { width: 400, height: 300 };
const known = [
  { name: 'name', type: 'text', value: 'friend' },
  { name: 'city', type: 'text', value: 'Oslo' },
];

type ReadDocument = () => Promise<{ layers: Layer[] }>;

/** Saves a template of a few layers, or of these, under `uid`, named so, and returns what reads its draft. */
export async function saveCanvas(
  base: string,
  uid: string,
  layers: readonly object[] = mixedLayers,
  more: object = {},
): Promise<ReadDocument> {
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  const document = { format: 1, name: uid, ...size, background: '#ffffff', variables: known };
  await client.createTemplate({ ...document, layers, ...more } as TemplateDocument, { uid });
  return async () => (await client.getTemplateDocument(uid)) as unknown as { layers: Layer[] };
}

/** Opens such a template of its own in the editor, at 100 %. */
export async function openCanvas(
  page: Page,
  base: string,
  uid: string,
  layers?: readonly object[],
  more?: object,
): Promise<CanvasPage> {
  const readDocument = await saveCanvas(base, uid, layers, more);
  await page.goto(`${base}/studio#/t/${uid}`);
  await page.waitForFunction((name) => document.title.startsWith(name), `${uid} `);
  await page.waitForSelector('.canvas-sheet img');
  return new CanvasPage(page, readDocument);
}

/** Opens a page for the tests of one file, signed in. `height` is that of the window. */
export async function startStudio(
  t: Test,
  name: string,
  browser: Browser,
  base: string,
  height?: number,
): Promise<ReturnType<typeof testsOf>> {
  return testsOf(t, name, await (await studioContext(browser, height)).newPage(), base);
}

/** What the tests of one file share. */
function testsOf(t: Test, name: string, page: Page, base: string) {
  const client = new PlatenClient({ baseUrl: base, apiKey: demoKey });
  /** What the page did that it must not; `claim` takes them out. */
  const complaints = watchPage(page, base);
  let count = 0;
  /** Opens a template of its own in the editor, at 100 %; its uid is the name of the tests and its number. */
  const open = (layers?: readonly object[], more?: object): Promise<CanvasPage> => {
    count += 1;
    return openCanvas(page, base, `${name}-${count}`, layers, more);
  };
  /** Opens a template of one text, and that for editing. All of it is selected. */
  const editText = async (
    more: object,
    below: readonly object[] = [],
    variables: object[] = known,
  ): Promise<CanvasPage> => {
    const box = { x: 20, y: 20, width: 360, height: 60, fontSize: 20, overflow: 'visible' };
    const layer = { id: 't', type: 'text', ...box, ...more };
    const canvas = await open([...below, layer], { variables });
    await page.mouse.dblclick(...(await canvas.at({ x: layer.x + 30, y: layer.y + 10 })));
    await page.waitForSelector('.text-editor :is(.span-field, textarea):focus');
    return canvas;
  };
  /** Tests a claim, without complaints of the page. */
  const claim = (title: string, run: (t: Test) => Promise<void>): void =>
    void t.test(title, async (each) => {
      await run(each);
      each.same(complaints.splice(0), [], 'the page complains of nothing');
    });
  return { page, keyboard: page.keyboard, client, complaints, open, editText, claim };
}

/** Drags what has a box on the screen, by its middle. */
export async function dragBy(handle: Locator, x: number, y = 0): Promise<void> {
  const page = handle.page();
  const box = await handle.boundingBox();
  if (box === null) throw new Error('nothing to drag');
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + x, top + y, { steps: 4 });
  // The canvas uses one movement a frame of the screen.
  await page.evaluate('new Promise(requestAnimationFrame)');
  await page.mouse.up();
}

type Modifier = 'Shift' | 'Control' | 'Alt';

/** A canvas at 100 %; points are design pixels. */
export class CanvasPage {
  readonly page: Page;
  readonly #readDocument: ReadDocument;

  constructor(page: Page, readDocument: ReadDocument) {
    this.page = page;
    this.#readDocument = readDocument;
  }

  /** The point of the screen: the image moves when the panels round it come. */
  async at({ x, y }: Point): Promise<[number, number]> {
    const corner = await this.page.locator('.canvas-sheet').boundingBox();
    if (corner?.width !== 400) throw new Error(`shown ${corner?.width} px wide`);
    return [corner.x + x, corner.y + y];
  }

  /** The keyboard is the canvas's. */
  focus(): Promise<void> {
    return this.page.focus('.canvas-window');
  }

  async click(point: Point): Promise<void> {
    await this.page.mouse.click(...(await this.at(point)));
  }

  /** Handles, and positions of a drop, are those of the newest image, so a press waits for the exact one. */
  async press(point: Point): Promise<void> {
    await this.page.waitForSelector('.canvas-sheet[data-shows="exact"]');
    await this.page.mouse.move(...(await this.at(point)));
    await this.page.mouse.down();
  }

  /** With modifiers held. */
  async moveTo(point: Point, modifiers: readonly Modifier[] = []): Promise<void> {
    for (const key of modifiers) await this.page.keyboard.down(key);
    await this.page.mouse.move(...(await this.at(point)), { steps: 3 });
    // The canvas uses one movement a frame of the screen.
    await this.page.evaluate('new Promise(requestAnimationFrame)');
    for (const key of modifiers) await this.page.keyboard.up(key);
  }

  release(): Promise<void> {
    return this.page.mouse.up();
  }

  async drag(from: Point, to: Point, modifiers: readonly Modifier[]): Promise<void> {
    await this.press(from);
    await this.moveTo(to, modifiers);
    await this.release();
  }

  /** As it is saved. */
  async layer(id: string): Promise<Layer | undefined> {
    return (await this.layers()).find((layer) => layer.id === id);
  }

  /** As it is saved, at any depth. */
  async find(id: string): Promise<Readonly<Record<string, unknown>>> {
    const position = findPosition({ layers: await this.layers() }, id);
    if (position === undefined) throw new Error(`no layer ${id}`);
    return { ...position.layer };
  }

  /** Ids of the saved layers in paint order. */
  async order(): Promise<string[]> {
    return (await this.layers()).map(({ id }) => id);
  }

  /** The saved layers. */
  async layers(): Promise<Layer[]> {
    return (await this.document()).layers;
  }

  /** The saved document, once the canvas shows it. */
  async document(): Promise<{ layers: Layer[] }> {
    await this.page.keyboard.press('Control+s');
    await this.page.waitForSelector('.save-note[data-state="saved"]');
    await this.page.waitForSelector('.canvas-sheet:not([data-shows="earlier"])');
    return this.#readDocument();
  }

  /** `exact`, `parts` while images of layers show what no render shows yet, or `earlier`. */
  async shows(): Promise<string | null> {
    return this.page.locator('.canvas-sheet').getAttribute('data-shows');
  }

  /** The colour on the screen: `#rrggbb`. */
  async colorAt(point: Point): Promise<string> {
    const [x, y] = await this.at(point);
    const seen = await this.page.screenshot({ clip: { x, y, width: 1, height: 1 } });
    const { data } = await decodeImage(seen);
    return `#${data.subarray(0, 3).toString('hex')}`;
  }

  /** The colour on the screen once it is `expected`: the compositor follows the page by a frame or two. */
  async colorOnceAt(point: Point, expected: string): Promise<string> {
    let color = '';
    await eventually(async () => (color = await this.colorAt(point)) === expected);
    return color;
  }

  async selectedSize(): Promise<{ width: number; height: number } | undefined> {
    const [start, , end] = await this.outline();
    if (start === undefined || end === undefined) return undefined;
    return { width: Math.round(end.x - start.x), height: Math.round(end.y - start.y) };
  }

  /** Waits until the newest frame has the top left corner of the selected layer at a point. */
  async sees(corner: Point): Promise<boolean> {
    const [x, y] = await this.at(corner);
    return eventually(async () => {
      const [start] = await this.outline();
      return start !== undefined && Math.hypot(start.x - x, start.y - y) < 1;
    });
  }

  /** The corners of the selected layer, points of the screen. */
  async outline(): Promise<Point[]> {
    const points = await this.page.locator('.outline').getAttribute('points');
    const { x, y } = (await this.page.locator('.canvas-overlay').boundingBox()) ?? { x: 0, y: 0 };
    const pairs = points?.split(' ').map((pair) => pair.split(',').map(Number)) ?? [];
    return pairs.map(([left = NaN, top = NaN]) => ({ x: left + x, y: top + y }));
  }
}
