/** Small labels over photographs in the samples can be read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { toRgba } from '#wire/color.ts';
import type { TextLayer } from '#language/schema/text.ts';
import {
  decodePixels,
  readImage,
  renderTemplate,
  repository,
  validTemplate,
} from '../helpers/render.ts';

/** WCAG 2.2, 1.4.3. */
const contrastMin = 4.5;
/** As in the report of a preview: a speck of a photograph hides no letter. */
const worstShare = 0.1;
const source = './pictures/stage.jpg';

function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

t.test('the labels of the event ticket stand out from the photograph behind them', async (t) => {
  const json = readFileSync(join(repository, 'data/templates/event-ticket.json'), 'utf8');
  const template = validTemplate(JSON.parse(json));
  const [ticket] = template.layers;
  if (ticket?.type !== 'group') throw new TypeError('expected the ticket as a group');
  const labels = ticket.layers.filter((layer): layer is TextLayer => layer.id.endsWith('-label'));
  t.equal(labels.length, 2);
  ticket.layers = ticket.layers.filter((layer) => !layer.id.endsWith('-label'));
  const images = { [source]: await readImage(join('data/templates', source)) };
  const { data, width } = await decodePixels((await renderTemplate(template, { images })).bytes);
  const { x: ticketX = 0, y: ticketY = 0 } = ticket;
  for (const { id, x = 0, y = 0, height, fill } of labels) {
    const letters = luminance(toRgba(typeof fill === 'string' ? fill : '#000000').slice(0, 3));
    const found: number[] = [];
    for (let row = ticketY + y; row < ticketY + y + Number(height); row += 1) {
      // A label of four letters.
      for (let column = ticketX + x; column < ticketX + x + 48; column += 1) {
        const at = (row * width + column) * 4;
        const ground = luminance([...data.subarray(at, at + 3)]);
        found.push((letters + 0.05) / (ground + 0.05));
      }
    }
    found.sort((a, b) => a - b);
    const least = found[Math.floor(found.length * worstShare)] ?? 0;
    t.ok(least >= contrastMin, `${id}: ${least.toFixed(1)} to 1`);
  }
});
