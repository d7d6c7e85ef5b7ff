/** The contact sheet of a proof: the worst rows and the extremes of a list, as one image. */
import { hash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Template } from '#language/schema/template.ts';
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import { RenderOrder } from '../../../render/order.ts';
import type { CampaignList } from '../../store/campaigns/campaign-list.ts';
import type { Extremes } from './extremes.ts';
import type { ProofSubject } from './subject.ts';
import { checkCells } from '../list/row-values.ts';

/** Upper bounds of images: on a sheet with few kinds of reasons, on any sheet, and in a line of it. */
const cellsUsual = 24;
const cellsMax = 40;
const columns = 4;
/** Measures of the sheet, in design pixels. */
const cellWidth = 300;
const gap = 20;
const titleHeight = 60;
const captionHeight = 44;
/** Upper bound of an image's height on the sheet. A taller image is scaled down. */
const imageHeightMax = 400;

/** A row and the reasons for which it is shown. */
interface Pick {
  row: number;
  reasons: string[];
}

/** Draws the sheet and writes it. Without rows no file is written. */
export async function writeSheet(
  subject: ProofSubject,
  extremes: Extremes,
  title: string,
): Promise<void> {
  const { sheetPath, renderer, template } = subject;
  await rm(sheetPath, { force: true });
  const picks = pickRows(extremes);
  const drawn: { pick: Pick; image: SourceImage }[] = [];
  for (const pick of picks) {
    const image = await drawRow(subject, pick.row);
    if (image !== undefined) drawn.push({ pick, image });
  }
  if (drawn.length === 0) return;
  const bytes = await renderer.run(sheetJob(template.templateKey, title, drawn));
  await writeFile(`${sheetPath}.new`, bytes, { mode: 0o600 });
  await rename(`${sheetPath}.new`, sheetPath);
}

/**
 * Picks rows with problems first, then the extremes. A row is shown once, with all its reasons. If there are too many,
 * one row of each problem and script, the longest and the shortest row remain.
 */
export function pickRows({ problems, longest, shortest, scripts }: Extremes): Pick[] {
  const picks = new Map<number, Pick>();
  const add = (row: number | undefined, reason: string): void => {
    if (row === undefined) return;
    const pick = picks.get(row) ?? { row, reasons: [] };
    picks.set(row, pick);
    pick.reasons.push(reason);
  };
  const codes = Object.entries(problems).filter(([code]) => code !== 'BAD_ROW');
  for (const [code, [row]] of codes) add(row, code);
  add(longest[0]?.row, 'longest');
  add(shortest[0]?.row, 'shortest');
  for (const [script, row] of Object.entries(scripts)) add(row, script);
  const kindCount = picks.size;
  for (const index of [1, 2]) for (const [code, rows] of codes) add(rows[index], code);
  for (const { row } of longest.slice(1)) add(row, 'long');
  for (const { row } of shortest.slice(1)) add(row, 'short');
  const count = Math.min(cellsMax, Math.max(cellsUsual, kindCount));
  return [...picks.values()].slice(0, count);
}

async function drawRow(
  { template, options, columns: mapped, renderer, list, tables }: ProofSubject,
  row: number,
): Promise<SourceImage | undefined> {
  const cells = cellsOf(list, row);
  if (cells === undefined) return undefined;
  const { values } = checkCells(template, mapped, cells, tables);
  const shown = { ...options, format: 'png', quality: 100, scale: 1 } as const;
  const order = new RenderOrder(template, shown, values, { onImageError: 'default' });
  const drawn = await renderer.tryDraw(order);
  if ('code' in drawn) return undefined;
  const { bytes, widthPx, heightPx } = drawn.outcome;
  return {
    digest: hash('sha256', bytes, 'hex'),
    format: 'png',
    widthPx,
    heightPx,
    orientation: 1,
    bytes,
  };
}

function cellsOf(list: CampaignList, row: number): string[] | undefined {
  const json = list.find(row)?.cellsJson ?? undefined;
  return json === undefined ? undefined : (JSON.parse(json) as string[]);
}

/** The code of a problem in words: `LOW_CONTRAST` is low contrast. Other reasons are words. */
function reasonWords(reason: string): string {
  return /^[A-Z_]+$/.test(reason) ? reason.toLowerCase().replaceAll('_', ' ') : reason;
}

/** Makes the job that draws the sheet. Captions are values, so that no text in them is parsed as a binding. */
function sheetJob(
  templateKey: string,
  title: string,
  drawn: readonly { pick: Pick; image: SourceImage }[],
): RenderJob {
  const [{ image: first }] = drawn as [(typeof drawn)[number]];
  const imageHeight = Math.min(imageHeightMax, (cellWidth * first.heightPx) / first.widthPx);
  const cellHeight = imageHeight + captionHeight + gap;
  const lines = Math.ceil(drawn.length / columns);
  const values = new Map([['title', title]]);
  const layers: Template['layers'] = [
    {
      id: 'title',
      type: 'text',
      x: gap,
      y: 0,
      width: columns * (cellWidth + gap) - gap,
      height: titleHeight,
      text: '{{title}}',
      fontSize: 24,
      fontWeight: 700,
      verticalAlign: 'middle',
      fill: '#111827',
    },
  ];
  const images: [string, SourceImage][] = [];
  for (const [index, { pick, image }] of drawn.entries()) {
    const x = gap + (index % columns) * (cellWidth + gap);
    const y = titleHeight + Math.floor(index / columns) * cellHeight;
    const source = `row-${pick.row}`;
    images.push([source, image]);
    values.set(`caption-${index}`, `Row ${pick.row}\n${pick.reasons.map(reasonWords).join(', ')}`);
    const at = { x, y, width: cellWidth, height: imageHeight };
    layers.push(
      { id: source, type: 'image', ...at, src: source, fit: 'contain' },
      {
        id: `caption-${index}`,
        type: 'text',
        x,
        y: y + imageHeight + 4,
        width: cellWidth,
        height: captionHeight,
        text: `{{caption-${index}}}`,
        fontSize: 14,
        fill: '#374151',
      },
    );
  }
  const document: Template = {
    format: 1,
    name: 'contact sheet',
    width: gap + columns * (cellWidth + gap),
    height: Math.ceil(titleHeight + lines * cellHeight),
    background: '#f3f4f6',
    variables: [...values.keys()].map((name) => ({ name, type: 'text', value: '' })),
    layers,
  };
  const templateJson = JSON.stringify(document);
  const [organization = ''] = templateKey.split(':');
  return {
    // The queue reads the organization from the key.
    templateKey: `${organization}:sheet:${hash('sha256', templateJson, 'hex').slice(0, 32)}`,
    templateJson,
    values,
    images,
    format: 'png',
    quality: 100,
    scale: 1,
  };
}
