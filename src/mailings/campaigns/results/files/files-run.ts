/** The files of a list: an image or a PDF for each row in a ZIP, or one PDF of all rows. */
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { extensionOf } from '#language/formats.ts';
import type { RenderScale } from '#wire/render-job.ts';
import { AppError } from '../../../../foundation/errors.ts';
import { csvStart, formatCsvRow } from '../../../lists/csv/write-csv.ts';
import { defaultOrder, RenderOrder } from '../../../../render/order.ts';
import type { DrawnOrder } from '../../../../render/draw.ts';
import type { RenderOptions } from '../../../../render/request.ts';
import { resolveVariables } from '../../../../render/values.ts';
import type { ResolvedValues } from '../../../../render/values.ts';
import { badRowCode } from '../../../store/campaigns/problem-rows.ts';
import type { StoredRow } from '../../../store/campaigns/campaign-list.ts';
import type { TableLookup } from '../../../../render/table-values.ts';
import type { PublishedTemplate } from '../../../../store/published-cache.ts';
import type { RunOptions } from '../../campaign.ts';
import { rowQuery } from '../../list/row-values.ts';
import type { MappedColumn } from '../../list/row-values.ts';
import { mapConcurrently, mapInOrder } from '../../run-rows.ts';
import type { RowWork } from '../../run-rows.ts';
import type { RowWorkSubject } from '../../run-subject.ts';
import { AppendFile } from '../append-file.ts';
import { requireDiskSpace } from '../disk-space.ts';
import { dialectOf } from '../link-file.ts';
import { createNames, namesDefault } from './file-names.ts';
import { PdfFile } from './pdf-file.ts';
import { toSinglePage } from './pdf-writer.ts';
import { problemsName, resultPaths } from './result-file.ts';
import type { PageSize, ResultFile } from './result-file.ts';
import { ZipFile } from './zip-file.ts';

/** Upper bounds of one result in GiB. Offsets in a PDF have ten digits. */
const resultGibibytesMax = { zip: 64, pdfs: 64, pdf: 8 };
/** Upper bound of the files of all campaigns of an organization, in GiB. */
const organizationGibibytesMax = 64;

/** Upper bound of the problems that the state of a run shows. The table in the ZIP has all. */
const shownProblemsMax = 20;

const problemColumns = ['row', 'line', 'problem'];

const pdfScaleDefault: RenderScale = 2;

/** A point is 1/72 inch, and a design pixel 1/96. */
const pointsPerPixel = 72 / 96;

/** State of a checkpoint. */
interface FilesState {
  /** Null if the options of the run decide the scale. */
  pdfScale?: RenderScale | null;
  result: unknown;
  problemsBytes: number;
  problemsCrc: number;
  files: number;
  failed: number;
  degraded: number;
  problems: { row: number; problem: string }[];
}

/** Writes the files of rows. A row that cannot be drawn has no file and is listed as a problem. */
export class FilesRun implements RowWork {
  readonly #subject: RowWorkSubject;
  readonly #otherBytes: () => number;
  readonly #output: NonNullable<RunOptions['output']>;
  #options: RenderOptions;
  readonly #paths: ReturnType<typeof resultPaths>;
  readonly #result: ResultFile;
  readonly #problems: AppendFile;
  readonly #nameOf: ReturnType<typeof createNames>;
  #state: FilesState = {
    result: undefined,
    problemsBytes: 0,
    problemsCrc: 0,
    files: 0,
    failed: 0,
    degraded: 0,
    problems: [],
  };

  /** `otherBytes` are those of the results of the organization's other campaigns. */
  constructor(subject: RowWorkSubject, otherBytes: () => number) {
    const { given, facts, options, run, paths } = subject;
    this.#subject = subject;
    this.#otherBytes = otherBytes;
    this.#output = given.output ?? 'zip';
    this.#options = options;
    this.#paths = resultPaths(paths.files);
    const { zip, pdf, index, problems } = this.#paths;
    this.#result =
      this.#output === 'pdf' ? new PdfFile(pdf, index) : new ZipFile(zip, index, run.createdAt);
    this.#problems = new AppendFile(problems);
    this.#nameOf = createNames(given.names ?? namesDefault, facts.columns);
  }

  async start(stateJson?: string): Promise<void> {
    const folder = this.#subject.paths.files;
    if (stateJson === undefined) await rm(folder, { recursive: true, force: true });
    else this.#state = JSON.parse(stateJson) as FilesState;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await requireDiskSpace(folder);
    this.#state.pdfScale ??= await this.#choosePdfScale();
    if (this.#state.pdfScale !== null)
      this.#options = { ...this.#options, scale: this.#state.pdfScale };
    await this.#result.start(this.#state.result);
    await this.#problems.start(this.#state.problemsBytes);
  }

  stateJson(): string {
    return JSON.stringify(this.#state);
  }

  counts(): Readonly<Record<string, unknown>> {
    const { files, failed, degraded, problems } = this.#state;
    return { files, failed, degraded, bytes: this.#result.bytes, problem_rows: problems };
  }

  async take(rows: readonly StoredRow[]): Promise<[]> {
    const { renderer, list, paths } = this.#subject;
    await requireDiskSpace(paths.files);
    this.#requireShare();
    const named = await mapConcurrently(rows, 1, (stored) => {
      return { row: stored.row, name: this.#nameOfRow(stored) };
    });
    const names = new Map(list.nameFiles(named).map((name, index) => [rows[index], name]));
    const draw = (stored: StoredRow): Promise<DrawnRow> => this.#draw(stored);
    for await (const { item, result } of mapInOrder(rows, renderer.concurrency, draw)) {
      await this.#addRow(item, names.get(item) ?? '', result);
    }
    await this.#result.sync();
    await this.#problems.sync();
    this.#state.result = this.#result.state;
    return [];
  }

  async finish(): Promise<void> {
    const { problemsBytes: size, problemsCrc: crc, files, problems } = this.#state;
    if (this.#output === 'pdf' && files === 0) throw noPages(problems[0]?.problem ?? 'it is empty');
    if (this.#result instanceof ZipFile && size > 0) {
      const contents = createReadStream(this.#paths.problems) as AsyncIterable<Buffer>;
      await this.#result.addLarge(problemsName, { size, crc }, contents);
    }
    await this.#result.finish();
  }

  async close(): Promise<void> {
    await this.#result.close();
    await this.#problems.close();
  }

  /**
   * Chooses the scale of raster parts in a PDF: 192 pixels an inch, or 96 if the template is too expensive for that.
   * Null if the request gives a scale, and for images.
   */
  async #choosePdfScale(): Promise<RenderScale | null> {
    const { given, template, renderer } = this.#subject;
    if (this.#output === 'zip' || given.scale !== undefined) return null;
    const options: RenderOptions = { ...this.#options, scale: pdfScaleDefault };
    const order = defaultOrder(template, options, { onImageError: 'default' });
    const drawn = await renderer.tryDraw(order, { pdf: true });
    return 'code' in drawn ? 1 : pdfScaleDefault;
  }

  #nameOfRow({ row, cellsJson }: StoredRow): string {
    return this.#nameOf(row, JSON.parse(cellsJson ?? '[]') as string[]);
  }

  async #draw(stored: StoredRow): Promise<DrawnRow> {
    const { row, cellsJson } = stored;
    const { list, template, columns, renderer, tables } = this.#subject;
    if (cellsJson === null) {
      const [found] = list.problems.of(row).filter(({ code }) => code === badRowCode);
      return { problems: [found?.message ?? 'it cannot be read'] };
    }
    const values = valuesOf(template, columns, JSON.parse(cellsJson) as string[], tables);
    if ('problem' in values) return { problems: [values.problem] };
    const order = new RenderOrder(template, this.#options, values.values);
    const drawn = await renderer.tryDraw(order, this.#output === 'zip' ? {} : { pdf: true });
    if ('code' in drawn) return { problems: [drawn.message] };
    const { bytes, widthPx, heightPx } = drawn.outcome;
    const size = {
      widthUnits: widthPx,
      heightUnits: heightPx,
      pointsPerUnit: pointsPerPixel / this.#options.scale,
    };
    const file = this.#output === 'pdfs' ? await toSinglePage(bytes, size) : bytes;
    return { file: { bytes: file, size }, problems: degradations(drawn) };
  }

  async #addRow(
    { row, line }: StoredRow,
    name: string,
    { file, problems }: DrawnRow,
  ): Promise<void> {
    const state = this.#state;
    if (file === undefined) state.failed += 1;
    else {
      const extension = this.#output === 'zip' ? extensionOf(this.#options.format) : 'pdf';
      await this.#result.add(`${name}.${extension}`, file.bytes, file.size);
      this.#requireBounded();
      state.files += 1;
      if (problems.length > 0) state.degraded += 1;
    }
    if (problems.length === 0) return;
    const free = shownProblemsMax - state.problems.length;
    state.problems.push(...problems.slice(0, free).map((problem) => ({ row, problem })));
    const dialect = dialectOf(this.#subject.facts);
    const lines = problems.map((problem) =>
      formatCsvRow([String(row), String(line), problem], dialect),
    );
    if (state.problemsBytes === 0) lines.unshift(this.#problemsStart());
    const text = Buffer.from(lines.join(''));
    await this.#problems.append(text);
    state.problemsBytes = this.#problems.bytes;
    state.problemsCrc = crc32(text, state.problemsCrc);
  }

  #problemsStart(): string {
    const { facts } = this.#subject;
    const { format } = facts;
    return (
      (format.kind === 'csv' ? csvStart(format) : '') +
      formatCsvRow(problemColumns, dialectOf(facts))
    );
  }

  /** Throws CONFLICT if the files of the organization's campaigns exceed its share of the disk. */
  #requireShare(): void {
    const bytes = this.#otherBytes() + this.#result.bytes;
    if (bytes < organizationGibibytesMax * 1024 ** 3) return;
    const message = `The files of all campaigns of the organization have more than ${organizationGibibytesMax} GiB: delete campaigns that are over, and start the run again.`;
    throw new AppError('CONFLICT', message, { reason: 'size' });
  }

  #requireBounded(): void {
    const gibibytes = resultGibibytesMax[this.#output];
    if (this.#result.bytes <= gibibytes * 1024 ** 3) return;
    const message = `The files have more than ${gibibytes} GiB: use a smaller scale or format, or a part of the list.`;
    throw new AppError('BAD_REQUEST', message, { reason: 'size' });
  }
}

/** The error of a PDF without pages, which the format does not allow. */
function noPages(problem: string): AppError {
  const message = `No row of the list can be drawn. The first one: ${problem}`;
  return new AppError('BAD_REQUEST', message, { reason: 'rows' });
}

/** The result of a row; without a file, the problems are the reasons. */
interface DrawnRow {
  file?: { bytes: Uint8Array; size: PageSize };
  problems: string[];
}

/** The values that the row's link has, or the reason why the link is refused. */
function valuesOf(
  template: PublishedTemplate,
  columns: readonly MappedColumn[],
  cells: readonly string[],
  tables: TableLookup,
): { values: ResolvedValues } | { problem: string } {
  try {
    return { values: resolveVariables(template, rowQuery(columns, cells), tables) };
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message };
    throw error;
  }
}

/** The reasons why a drawn image is degraded. */
function degradations({ images, outcome }: DrawnOrder): string[] {
  if (!outcome.degraded && images.failedLayers.size === 0) return [];
  const sentences = [...new Set(images.failedLayers.values())].filter((text) => text !== '');
  return sentences.length > 0 ? sentences : ['A part of the image cannot be drawn.'];
}
