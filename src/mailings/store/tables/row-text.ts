/**
 * Writes and reads rows of data tables as text. A line has the key in hex, a tab, and the cells as JSON, which contains
 * no tab or line break.
 */

export function writeRowText(key: string, cellsJson: string): string {
  return `${toHex(key)}\t${cellsJson}`;
}

/** Reads the rows of a text; an empty text has none. */
export function* readRowText(text: string): Generator<[key: string, cellsJson: string]> {
  if (text === '') return;
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t');
    yield [fromHex(line.slice(0, tab)), line.slice(tab + 1)];
  }
}

export function toHex(key: string): string {
  return Buffer.from(key).toString('hex');
}

export function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString();
}
