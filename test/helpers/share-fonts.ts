/** Fonts that are laid out once for all tests: a first start takes a third of its processor time for them. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';

const shared = join(import.meta.dirname, '../../node_modules/.cache/platen-test');

/** Links the shared layout into a data folder, in which a start then finds it. */
export async function shareFonts(dataDirectory: string): Promise<void> {
  const layout = dirname(await prepareFontEnvironment(shared));
  const fonts = join(dataDirectory, 'fonts');
  mkdirSync(fonts, { recursive: true, mode: 0o700 });
  const link = join(fonts, basename(layout));
  if (!existsSync(link)) symlinkSync(layout, link);
}
