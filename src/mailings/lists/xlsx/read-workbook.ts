/** Reads the data that a workbook's sheets share: sheet names and parts, texts, and number formats. */
import { posix } from 'node:path';
import { formatCount, tooLarge, unreadable } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';
import { CellText } from './cell-text.ts';
import { plainFormat, readFormat, type CellFormat } from '../workbook/number-format.ts';
import { readDescription, readPart, relationId } from '../workbook/read-part.ts';
import { SharedTexts } from './shared-texts.ts';
import type { WorkbookFile } from '../workbook/workbook-file.ts';

export interface Workbook {
  /** The visible sheets in the order of their tabs, with the names of their parts. */
  sheets: { name: string; part: string }[];
  texts: SharedTexts;
  /** Formats by the index of a cell's style. */
  formats: CellFormat[];
  /** Whether dates count from 1904, as early Excel on the Macintosh did. */
  is1904: boolean;
}

export async function readWorkbook(file: WorkbookFile): Promise<Workbook> {
  const [workbookPart] = await findParts(file, '', 'officeDocument');
  if (workbookPart === undefined || !/\.xml$/i.test(workbookPart)) {
    throw unreadable(
      'The list is a ZIP file, but no XLSX and no ODS. Save the sheet as .xlsx, .ods or CSV; Numbers and XLSB are not read.',
    );
  }
  const relations = await readRelations(file, workbookPart);
  const sheets: Workbook['sheets'] = [];
  let is1904 = false;
  await readDescription(file, workbookPart, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet' || /^(?:hidden|veryHidden)$/.test(attributes['state'] ?? '')) return;
      const relation = relations.get(relationId(attributes) ?? '');
      // A chart sheet has another type.
      if (relation?.type !== 'worksheet' || !file.has(relation.part)) return;
      const { name: title = '' } = attributes;
      if (title.length > workbookLimits.nameCharactersMax) {
        throw tooLarge(
          `A sheet of the XLSX has a name of ${formatCount(title.length)} characters, at most ${workbookLimits.nameCharactersMax}.`,
        );
      }
      sheets.push({ name: title, part: relation.part });
      if (sheets.length > workbookLimits.sheetsMax) {
        throw tooLarge(
          `The XLSX has more than ${formatCount(workbookLimits.sheetsMax)} visible sheets.`,
        );
      }
    },
  });
  if (sheets.length === 0) throw unreadable('The XLSX has no visible sheet.');
  return {
    sheets,
    is1904,
    texts: await readSharedTexts(file, partOf(relations, 'sharedStrings')),
    formats: await readFormats(file, partOf(relations, 'styles')),
  };
}

interface Relation {
  /** The last segment of the URI that names the type. */
  type: string;
  part: string;
}

/** The parts to which a part refers, by relation id. An empty name means the package itself. */
async function readRelations(file: WorkbookFile, part: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(part);
  const relations = new Map<string, Relation>();
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!file.has(name)) return relations;
  await readDescription(file, name, {
    open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
      if (tag !== 'Relationship' || TargetMode === 'External') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      relations.set(Id, { type: posix.basename(Type), part: target });
    },
  });
  return relations;
}

async function findParts(file: WorkbookFile, part: string, type: string): Promise<string[]> {
  const relations = await readRelations(file, part);
  return [...relations.values()].filter((each) => each.type === type).map((each) => each.part);
}

function partOf(relations: ReadonlyMap<string, Relation>, type: string): string | undefined {
  return [...relations.values()].find((each) => each.type === type)?.part;
}

async function readSharedTexts(file: WorkbookFile, part: string | undefined): Promise<SharedTexts> {
  const texts = new SharedTexts();
  if (part === undefined || !file.has(part)) return texts;
  const cell = new CellText();
  const pieces = readPart(file, part, {
    open: (name) => cell.open(name),
    close(name) {
      cell.close(name);
      if (name === 'si') texts.add(cell.take());
    },
    text: (text) => cell.add(text),
  });
  for await (const _ of pieces);
  return texts;
}

async function readFormats(file: WorkbookFile, part: string | undefined): Promise<CellFormat[]> {
  if (part === undefined || !file.has(part)) return [];
  const codes = new Map<number, string>();
  const formats: CellFormat[] = [];
  const byId = new Map<number, CellFormat>();
  let isInCells = false;
  await readDescription(file, part, {
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true;
      if (name === 'numFmt')
        codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      if (name !== 'xf' || !isInCells) return;
      const id = Number(attributes['numFmtId'] ?? 0);
      const format = byId.get(id) ?? readFormat(id, codes.get(id));
      byId.set(id, format);
      formats.push(id === 0 ? plainFormat : format);
      if (formats.length > workbookLimits.cellFormatsMax) {
        throw tooLarge(
          `The workbook has more than ${formatCount(workbookLimits.cellFormatsMax)} cell formats. Save the sheet as CSV.`,
        );
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return formats;
}
