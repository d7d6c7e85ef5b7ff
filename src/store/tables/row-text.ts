/** Rows of data tables as text, each a line: the key in hex, a tab, and the JSON of the cells, which has neither of both. */

export function writeRowText(key: string, cellsJson: string): string {
  return `${toHex(key)}\t${cellsJson}`;
}

/** The rows of a text; none for an empty one. */
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
