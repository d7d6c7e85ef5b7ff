/** Spares programs under test what each start on an empty data folder costs: stripping the types of all code. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const kept = join(import.meta.dirname, '../../.tap/code');

/** Lets the data folder use the JavaScript that other starts have made, unless it has its own. Makes the folder. */
export function lendCode(dataDirectory: string): void {
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const place = join(dataDirectory, 'code');
  if (!existsSync(place)) symlinkSync(kept, place);
}
