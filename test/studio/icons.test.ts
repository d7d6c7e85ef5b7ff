/** The icon library: search and markup. Its picker is tested with the forms of the panels. */
import t from 'tap';
import { checkTemplate } from '#language/template.ts';
import { findIcons, loadIcons, svgOf } from '../../src/studio/panels/icons/icon-library.ts';
import { documentOf } from './documents.ts';

/** Layers of a document, of its most. */
const layersMax = 400;

t.test('icons are found by name and word, those of the name first', async (t) => {
  const icons = await loadIcons();
  t.equal(new Set(icons.map(({ name }) => name)).size, icons.length);
  t.match(findIcons(icons, 'heart')[0], { name: 'heart' });
  t.ok(findIcons(icons, 'delivery').some(({ name }) => name === 'truck'));
  t.equal(findIcons(icons, 'no such icon').length, 0);
  t.equal(findIcons(icons, '').length, icons.length);
});

t.test('the service takes every icon as a layer', async (t) => {
  const icons = await loadIcons();
  const box = { x: 0, y: 0, width: 24, height: 24 };
  for (let at = 0; at < icons.length; at += layersMax) {
    const layers = icons
      .slice(at, at + layersMax)
      .map((icon) => ({ id: icon.name, type: 'svg', ...box, svg: svgOf(icon) }));
    const checked = checkTemplate(documentOf(layers));
    t.same(checked.ok ? [] : checked.problems, []);
  }
});
