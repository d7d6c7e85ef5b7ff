/** Writes small XLSX files, and broken ones, from the XML of their parts. */
import { crc32, deflateRawSync } from 'node:zlib';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface WorkbookParts {
  /** The rows of the one sheet: what is inside `sheetData`. */
  rows: string;
  /** The `si` elements of the shared texts. */
  texts?: string;
  /** The format codes of the styles 1, 2, …; the style 0 is General. */
  formats?: readonly string[];
  /** Attributes of `workbookPr`. */
  properties?: string;
  /** The `sheet` elements; one visible sheet when absent. */
  sheets?: string;
}

export function xlsx(parts: WorkbookParts): Buffer {
  return zip(xlsxParts(parts));
}

/** The parts by their names, to change one of them. */
export function xlsxParts({
  rows,
  texts = '',
  formats = [],
  properties = '',
  sheets = '<sheet name="Sheet1" sheetId="1" r:id="rId1"/>',
}: WorkbookParts): Record<string, string> {
  const codes = formats.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`,
  );
  const xfs = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  return {
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${head}<workbook xmlns:r="${office}"><workbookPr ${properties}/><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', '/xl/styles.xml'],
    ),
    'xl/worksheets/sheet1.xml': `${head}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `${head}<sst>${texts}</sst>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
  };
}

function relations(...targets: [type: string, target: string][]): string {
  const items = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${head}<Relationships>${items.join('')}</Relationships>`;
}

/** A ZIP file; `sizes` are uncompressed sizes that it states in place of the right ones, and `comment` is that of each part. */
export function zip(
  parts: Readonly<Record<string, string | Buffer>>,
  sizes: Readonly<Record<string, number>> = {},
  comment = '',
): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const data = Buffer.from(content as string);
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(sizes[name] ?? data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt16LE(comment.length);
    rest.writeUInt32LE(offset, 10);
    const start = Buffer.from('PK\x01\x02\x14\x00');
    centrals.push(Buffer.concat([start, fields, rest, Buffer.from(name + comment)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
