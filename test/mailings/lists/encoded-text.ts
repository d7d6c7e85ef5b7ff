/** Encodes text in encodings of one and two bytes, for lists in tests. */
import iconv from 'iconv-lite';

const tables = new Map<string, ReadonlyMap<string, Buffer>>();

/** Throws for a character that the encoding does not have. Two bytes at most: what people use of GB18030. */
export function encodeText(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tableOf(encoding);
  return Buffer.concat(
    Array.from(text, (character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

/** Whether an encoding has all letters of a text. */
export function isEncodable(text: string, encoding: string): boolean {
  return Array.from(text).every((character) => tableOf(encoding).has(character));
}

/** Encodings that `TextDecoder` does not have, with the names of iconv-lite. */
const iconvNames: Readonly<Record<string, string>> = {
  'x-mac-ce': 'maccenteuro',
  'x-mac-greek': 'macgreek',
  'x-mac-turkish': 'macturkish',
  'iso-8859-16': 'iso885916',
};

function tableOf(encoding: string): ReadonlyMap<string, Buffer> {
  const table =
    tables.get(encoding) ??
    (/^cp|^x-mac-(?!cyr)|-16$/.test(encoding) ? makeByteTable(encoding) : makeTable(encoding));
  tables.set(encoding, table);
  return table;
}

function makeByteTable(encoding: string): ReadonlyMap<string, Buffer> {
  const letters = Array.from({ length: 256 }, (_, byte): [string, Buffer] => {
    const bytes = Buffer.from([byte]);
    return [iconv.decode(bytes, iconvNames[encoding] ?? encoding), bytes];
  });
  return new Map(letters.filter(([letter]) => letter !== '\uFFFD'));
}

function makeTable(encoding: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, Buffer>();
  const add = (...bytes: number[]): void => {
    try {
      const text = decoder.decode(Buffer.from(bytes));
      if (/^.$/su.test(text) && !table.has(text)) table.set(text, Buffer.from(bytes));
    } catch {
      // No character.
    }
  };
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  }
  return table;
}
