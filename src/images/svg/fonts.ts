/** The fonts that SVG files from links are drawn with: those of templates, but for emoji. */
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Noto Emoji alone. */
const ownFonts = fileURLToPath(new URL('../../../data/svg-fonts/', import.meta.url));

/**
 * The SVG renderer draws nothing at all for a glyph that is made of coloured layers (COLR), as all of
 * these are; with outlines of one colour emoji are there at least.
 */
const layeredFamily = 'Twemoji Mozilla';

/** Writes a font configuration beside that of the templates, and gives its path. Its folder must be writable. */
export function writeSvgFontConfig(fontConfigFile: string): string {
  const path = join(dirname(fontConfigFile), 'svg-fonts.conf');
  const draft = `${path}.${process.pid}`;
  writeFileSync(
    draft,
    `<?xml version="1.0"?>
<fontconfig>
  <include>${escapeXml(fontConfigFile)}</include>
  <dir>${escapeXml(ownFonts)}</dir>
  <selectfont><rejectfont><pattern>
    <patelt name="family"><string>${layeredFamily}</string></patelt>
  </pattern></rejectfont></selectfont>
</fontconfig>
`,
  );
  // A process that starts at the same time reads all of it or the same of before.
  renameSync(draft, path);
  return path;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
