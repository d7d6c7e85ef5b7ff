/** An image that says `in 3 days` lasts until it says something else. */
import t from 'tap';
import { createBinder } from '#language/bind/binder.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { unitTimeMs } from '#language/clock/clock-use.ts';
import { changesAtMs, momentKey } from '#language/clock/lifetime.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';

const minuteMs = 60_000;
const at = (text: string): number => Date.parse(text);

function templateOf(unit: string, zone: string): Template {
  const layers = [aLayer('text', { text: `{{end | relative${unit}}}` })];
  const variables = [aVariable('end', 'date', '')];
  return aTemplate({ variables, layers, clock: { zone } }) as unknown as Template;
}

interface Image {
  text: string | undefined;
  key: string;
  changesAt: number;
}

function imageAt(template: Template, end: string, atMs: number): Image {
  const timeMs = unitTimeMs(template, atMs) ?? 0;
  const values = new Map([['end', end]]);
  const [layer] = resolveLayers(template, values, { timeMs }).layers;
  const binder = createBinder(template, values, { timeMs });
  return {
    text: (layer as { text?: string } | undefined)?.text,
    key: momentKey(template, { timeMs }, [binder]),
    changesAt: changesAtMs(template, { timeMs }, [binder]),
  };
}

t.test('a relative date is cached until its text changes, and keyed by its text', (t) => {
  const lasts = (unit: string, end: string, time: string, zone = 'Europe/Berlin'): string =>
    new Date(imageAt(templateOf(unit, zone), end, at(time)).changesAt).toISOString();
  const end = '2026-11-27T18:00';
  t.equal(lasts('', end, '2026-11-24T10:00Z'), '2026-11-24T23:00:00.000Z', 'midnight in Berlin');
  t.equal(lasts(':minute', end, '2026-11-24T10:00Z'), '2026-11-24T23:00:00.000Z', 'in 3 days');
  t.equal(lasts(':minute', end, '2026-11-26T16:50Z'), '2026-11-26T17:01:00.000Z', 'tomorrow');
  t.equal(lasts(':minute', end, '2026-11-27T10:30Z'), '2026-11-27T11:01:00.000Z', 'in 6 hours');
  t.equal(lasts(':minute', end, '2026-11-27T16:30Z'), '2026-11-27T16:31:00.000Z', 'in 30 minutes');
  t.end();
});

t.test('no relative date changes before its image ends', (t) => {
  const ends = ['2026-10-25T02:30+02:00', '2026-10-25', '2026-11-01T06:10Z'];
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']) {
    for (const unit of ['', ':hour', ':minute']) {
      const template = templateOf(unit, zone);
      for (const end of ends) {
        const endMs = at(end);
        for (const hours of [-30, -24, -1, 0, 0.5, 1, 5.25, 23.9, 24.1, 47]) {
          const start = endMs - hours * 60 * minuteMs;
          const image = imageAt(template, end, start);
          const last = imageAt(template, end, image.changesAt - minuteMs);
          const next = imageAt(template, end, image.changesAt);
          const middle = imageAt(template, end, (start + image.changesAt) / 2);
          const name = `${zone} ${unit} ${end} ${hours}`;
          t.same([middle.text, last.text], [image.text, image.text], name);
          t.equal(last.key, image.key, name);
          t.not(next.text, image.text, name);
        }
      }
    }
  }
  t.end();
});
