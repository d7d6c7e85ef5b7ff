/** A text that would take too long to shape is refused before the shaper starts, which cannot be interrupted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { templateLimits } from '#language/limits/template-limits.ts';
import { organizationFont } from '../../helpers/render.ts';
import { shaping, styles, textStyle } from '../../helpers/text.ts';
import { contextFont } from '../../law/hostile-fonts.ts';

const { inspectFont } = await import('../../../workers/assets/font-inspection.ts');
const { registerOrganizationFonts } = await import('../../../workers/assets/organization-fonts.ts');
const { endWork, startWork } = await import('../../../workers/work-limit.ts');

const { file } = inspectFont(contextFont(320));
const path = join(t.testdir(), 'contexts.ttf');
writeFileSync(path, file);
const family = organizationFont('Contexts', path);
const { alias } = family;
registerOrganizationFonts([family]);
const face = styles.fontFace(textStyle({ families: [alias] }), 'en', 'letters');

/** Of this, 2,500 letters of the font take 1 s on a fast machine. */
const leftMs = 600;
const reserveMs = 100;

t.test('a long text in a font with thousands of rules is refused', async (t) => {
  t.teardown(endWork);
  startWork({ spentMs: templateLimits.renderMsMax - reserveMs - leftMs });
  const before = shaping.shapingCount();
  t.throws(
    () => shaping.shapeWord(face, alias, 'a'.repeat(2500)),
    /ms of processor time to shape a text/,
  );
  t.equal(shaping.shapingCount(), before, 'and was not shaped');
});

t.test('a short one is shaped, and a long one in another font', async (t) => {
  t.teardown(endWork);
  startWork({ spentMs: templateLimits.renderMsMax - reserveMs - leftMs });
  t.ok(shaping.shapeWord(face, alias, 'a'.repeat(20)));
  const inter = styles.fontFace(textStyle(), 'en', 'letters');
  t.ok(shaping.shapeWord(inter, 'Inter', 'a'.repeat(2500)));
});
