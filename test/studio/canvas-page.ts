/** Works on the canvas of the studio as a person does: points, drags, and reads what was saved. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import type { Layer } from '#language/schema/layers.ts';
import type { Point } from '../../src/studio/canvas/geometry.ts';
import { findPosition } from '../../src/studio/state/layers.ts';
import { demoKey, eventually } from '../e2e/service.ts';

const document = {
  format: 1,
  name: 'Canvas',
  width: 400,
  height: 300,
  background: '#ffffff',
  variables: [
    { name: 'name', type: 'text', value: 'friend' },
    { name: 'city', type: 'text', value: 'Oslo' },
  ],
  layers: [
    { id: 'a', type: 'rect', x: 40, y: 43, width: 80, height: 60, fill: '#d64933' },
    { id: 'b', type: 'rect', x: 210, y: 17, width: 100, height: 60, fill: '#20639b' },
    {
      id: 'c',
      type: 'rect',
      x: 60,
      y: 170,
      width: 120,
      height: 60,
      rotation: 30,
      fill: '#3caea3',
    },
    {
      id: 'g',
      type: 'group',
      x: 330,
      y: 90,
      width: 50,
      height: 50,
      layers: [
        { id: 'in', type: 'rect', x: 0, y: 0, width: 20, height: 20, fill: '#333333' },
        { id: 'out', type: 'rect', x: 30, y: 30, width: 20, height: 20, fill: '#777777' },
      ],
    },
    {
      id: 't',
      type: 'text',
      x: 220,
      y: 180,
      width: 160,
      height: 40,
      text: 'Hi {{name}}',
      fontSize: 24,
    },
    {
      id: 's',
      type: 'text',
      x: 220,
      y: 240,
      width: 160,
      height: 40,
      text: '{{city}}',
      fontSize: 24,
    },
  ],
};

/** Saves a template of a few layers, or of these, under `uid`, named so, and returns what reads its draft. */
export async function saveCanvas(
  base: string,
  uid: string,
  layers: readonly object[] = document.layers,
  more: object = {},
): Promise<() => Promise<{ layers: Layer[] }>> {
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...document, name: uid, layers, ...more });
  const saved = await fetch(`${base}/v1/templates?uid=${uid}`, { method: 'POST', headers, body });
  await saved.arrayBuffer();
  return async () => {
    const answer = await fetch(`${base}/v1/templates/${uid}/document`, { headers });
    return (await answer.json()) as { layers: Layer[] };
  };
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
  await page.waitForFunction((name) => globalThis.document.title.startsWith(`${name} `), uid);
  await page.waitForSelector('.canvas-sheet img');
  return new CanvasPage(page, readDocument);
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
  readonly #readDocument: () => Promise<{ layers: Layer[] }>;

  constructor(page: Page, readDocument: () => Promise<{ layers: Layer[] }>) {
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

  /** Handles are where the image has the layer, so a press waits for the image. */
  async press(point: Point): Promise<void> {
    await this.page.waitForSelector('.canvas-sheet:not([data-shows="earlier"])');
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
    const { data } = await sharp(seen).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return `#${data.subarray(0, 3).toString('hex')}`;
  }

  /** The colour on the screen once it is `expected`: the compositor follows the page by a frame or two. */
  async colorOnceAt(point: Point, expected: string): Promise<string> {
    let color = '';
    await eventually(async () => (color = await this.colorAt(point)) === expected);
    return color;
  }

  async selectedSize(): Promise<{ width: number; height: number } | undefined> {
    const [start, , end] = await this.#selectedCorners();
    if (start === undefined || end === undefined) return undefined;
    return { width: Math.round(end.x - start.x), height: Math.round(end.y - start.y) };
  }

  /** Waits until the newest frame has the top left corner of the selected layer at a point. */
  async sees(corner: Point): Promise<boolean> {
    const [x, y] = await this.at(corner);
    const canvas = await this.page.locator('.canvas-overlay').boundingBox();
    return eventually(async () => {
      const [start] = await this.#selectedCorners();
      if (start === undefined || canvas === null) return false;
      return Math.hypot(start.x + canvas.x - x, start.y + canvas.y - y) < 1;
    });
  }

  async #selectedCorners(): Promise<Point[]> {
    const points = (await this.page.locator('.outline').getAttribute('points')) ?? '';
    return points.split(' ').map((pair) => {
      const [x = 0, y = 0] = pair.split(',').map(Number);
      return { x, y };
    });
  }
}
