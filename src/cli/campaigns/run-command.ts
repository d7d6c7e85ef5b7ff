/** `platen campaign proof`, `links`, `files` and `warm`: uploads a list, waits for the run, and saves its results. */
import { basename, relative, resolve } from 'node:path';
import type { Campaign, CampaignRunRequest } from '../../client/platen-client.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { parseExpiry } from '../expiry.ts';
import { askEncoding } from './encoding-question.ts';
import { convertErrors } from '../service-client.ts';
import { counted, table } from '../terminal.ts';
import type { Invocation, Terminal } from '../terminal.ts';
import { defaultOut, readFaultyRows, saveResults, tablesOfRows } from './results.ts';
import type { FaultyRow, FilesKind, RowFilter } from './results.ts';
import { openRunningService, requireList, sendList } from '../running-service.ts';
import type { RunningService, ServiceOptions } from '../running-service.ts';
import { waitForRun } from './watch.ts';

export interface RunOptions extends ServiceOptions {
  template: string;
  version?: string;
  format?: string;
  scale?: string;
  size?: string;
  map?: readonly string[];
  short?: boolean;
  expires?: string;
  names?: string;
  as?: FilesKind;
  encoding?: string;
  separator?: string;
  sheet?: string;
  needsYou?: true;
  problem?: string;
  column?: string;
  out?: string;
  keep?: boolean;
}

/** Maximum number of rows with problems that are shown, and of columns with problems. */
const shownRowsMax = 20;
const shownColumnsMax = 10;

/**
 * Runs a campaign. Returns `ok` if no row needs attention, and `problems` otherwise. JSON:
 * `{"campaign":{…},"rows":[{"row","line","needs_you","problems","cells"}],"out":"path"|null,"kept":false}`.
 */
export async function runCampaign(
  mode: Campaign['mode'],
  list: string,
  options: RunOptions,
  { terminal, startDirectory, onInterrupt }: Invocation,
): Promise<ExitCode> {
  const path = resolve(startDirectory, list);
  await requireList(path, list);
  const query = queryOf(mode, path, options);
  const service = await openRunningService(options);
  const upload = (encoding: string | undefined): Promise<Campaign> =>
    sendList(path, (content) => {
      const asked = encoding === undefined ? query : { ...query, encoding };
      return service.client.request('POST /v1/campaigns', { query: asked, ...content });
    });
  let created = await upload(options.encoding);
  let kept = options.keep === true;
  const clear = (): Promise<void> => (kept ? Promise.resolve() : remove(service, created.id));
  onInterrupt(clear);
  try {
    requireChosenSheet(created, list);
    const { encoding_doubt: doubt } = created.list;
    if (doubt !== undefined) {
      const encoding = await askEncoding(doubt, terminal).catch((error: unknown) => {
        // Nobody has said that this reading may be kept.
        kept = false;
        throw error;
      });
      await remove(service, created.id);
      created = await upload(encoding);
    }
    noteList(created, terminal);
    const filter = filterOf(options);
    // An unknown code ends the command before the run, and not after it.
    if (filter.problem !== undefined)
      await readFaultyRows(service, created, 1, { problem: filter.problem });
    const campaign = await waitForRun(service, created, terminal);
    const read =
      mode === 'proof' ? await readFaultyRows(service, campaign, shownRowsMax + 1, filter) : [];
    const rows = read.slice(0, shownRowsMax);
    const kind = options.as ?? 'zip';
    const wanted = options.out ?? defaultOut(mode, list, kind);
    const out = wanted === undefined || mode === 'warm' ? null : resolve(startDirectory, wanted);
    if (out !== null) await saveResults(service, campaign, out, { kind, filter });
    // Deleting the campaign would delete its warm images.
    kept ||= mode === 'warm';
    const lines = [
      verdictOf(campaign),
      ...linesOfCorrected(campaign),
      ...linesOfColumns(campaign),
      ...linesOfRows(campaign, rows, { hasMore: read.length > rows.length, filter }),
      ...(out === null ? [] : [`saved ${relative(startDirectory, out)}`]),
      ...linesOfShortLinks(campaign),
      ...(kept ? [`kept as ${campaign.id} until ${campaign.expires_at}`] : []),
    ];
    terminal.result({ campaign, rows, out, kept }, lines.join('\n'));
    return needing(campaign) === 0 && !isUnused(campaign) ? exitCodes.ok : exitCodes.problems;
  } finally {
    await clear();
  }
}

function queryOf(
  mode: Campaign['mode'],
  path: string,
  { template, version, separator, sheet, ...options }: RunOptions,
): { template: string; mode: Campaign['mode']; name: string } {
  const { format, scale, size, map = [], short, expires, names, as: output } = options;
  const request: Partial<Record<keyof CampaignRunRequest, unknown>> = {
    format,
    scale: scale === undefined ? undefined : Number(scale),
    size,
    map: map.length === 0 ? undefined : parseMapping(map),
    short,
    expires: expires === undefined ? undefined : Math.floor(parseExpiry(expires) / 1000),
    names,
    output,
  };
  const query = {
    version: version === undefined ? undefined : Number(version),
    options: JSON.stringify(request),
    // A tab is hard to type in a shell.
    separator: separator === 'tab' ? '\t' : separator,
    sheet,
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return { template, mode, name: basename(path), ...Object.fromEntries(given) };
}

/** Parses `column=variable`. The last `=` separates them, because only the name of a column may contain `=`. */
function parseMapping(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at > 0 && at < pair.length - 1) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new CommandError(
        exitCodes.usage,
        `--map ${pair}: expected <column>=<variable>, such as --map 'First Name=name'.`,
      );
    }),
  );
}

/** Notes how the list was read, so that a wrong separator or column is visible before the result. */
function noteList(campaign: Campaign, terminal: Terminal): void {
  const { rows, list, mapping, unmapped_columns, variables_without_column } = campaign;
  const facts = ['kind', 'encoding', 'separator', 'sheet'].flatMap((name) => {
    const value = (list as Record<string, unknown>)[name];
    return typeof value === 'string' ? [value === '\t' ? 'tab' : value] : [];
  });
  terminal.note(`${counted(rows, 'row')} (${facts.join(' ')})`);
  for (const [column, variable] of Object.entries(mapping)) {
    terminal.note(`  ${column} → ${String(variable)}`);
  }
  if (unmapped_columns.length > 0) {
    terminal.note(`  not used: ${unmapped_columns.join(', ')}`);
  }
  for (const problem of list.problems) terminal.warn(problem);
  if (isUnused(campaign)) {
    terminal.warn(
      'no column of the list is used, so all rows are the same: use --map, or --separator.',
    );
  }
  for (const name of variables_without_column) {
    terminal.warn(`no column gives "${name}": its default is drawn in all rows.`);
  }
}

/** Throws for a workbook with several sheets of which none was named: the right one may be another than the first. */
function requireChosenSheet({ list }: Campaign, path: string): void {
  if (list.sheet_doubt !== true) return;
  const names = (list.sheets ?? []).map((name) => `"${name}"`).join(', ');
  throw new CommandError(
    exitCodes.usage,
    `${path} has several sheets with rows: name the one that is the list with --sheet. It has ${names}.`,
  );
}

/** Whether no column of the list gives a value, so that all readers would get the same image. */
function isUnused({ mapping, variables_without_column }: Campaign): boolean {
  return Object.keys(mapping).length === 0 && variables_without_column.length > 0;
}

/** Number of rows that need attention. */
function needing({ counts }: Campaign): number {
  const names = ['problems', 'bad_rows', 'refused', 'failed', 'degraded', 'no_space'];
  return names.reduce((sum, name) => sum + ((counts as Record<string, number>)[name] ?? 0), 0);
}

function verdictOf({ counts, done }: Campaign): string {
  const { verdict } = counts;
  if (typeof verdict === 'string') return verdict;
  const numbers = Object.entries(counts).flatMap(([name, value]) =>
    typeof value === 'number' && value > 0
      ? [`${value.toLocaleString('en-US')} ${name.replaceAll('_', ' ')}`]
      : [],
  );
  return `${done.toLocaleString('en-US')} rows: ${numbers.join(', ') || 'none'}.`;
}

/** A line for each column with dirt, or whose values were corrected. */
function linesOfCorrected({ counts }: Campaign): string[] {
  type Sentence = { rows: number; first_rows: number[]; message: string };
  const { columns = [], corrected = [] } = counts as Record<string, Sentence[] | undefined>;
  return [...columns, ...corrected].map(
    ({ rows, first_rows: first, message }) =>
      `${counted(rows, 'row')} (${first.join(', ')}${rows > first.length ? ' …' : ''}): ${message}`,
  );
}

function filterOf({ needsYou, problem, column }: RunOptions): RowFilter {
  return { needs_you: needsYou, problem, column };
}

/** A table of the columns with problems: those of most rows that need a person first. */
function linesOfColumns({ counts }: Campaign): string[] {
  const { by_column: all = [] } = counts as {
    by_column?: {
      column: string | null;
      variable: string | null;
      code: string;
      rows: number;
      needs_you: number;
    }[];
  };
  const lines = all
    .slice(0, shownColumnsMax)
    .map(({ column, variable, code, rows, needs_you: needs }) => [
      code,
      column ?? '',
      variable ?? '',
      String(rows),
      String(needs),
    ]);
  if (lines.length === 0) return [];
  const more = all.length - lines.length;
  return [
    '',
    table(['problem', 'column', 'variable', 'rows', 'need you'], lines),
    ...(more > 0 ? [`and ${counted(more, 'more kind')}: --json has all`] : []),
  ];
}

function linesOfRows(
  { counts }: Campaign,
  rows: readonly FaultyRow[],
  { hasMore, filter }: { hasMore: boolean; filter: RowFilter },
): string[] {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (rows.length === 0) return isFiltered ? ['', 'no such row'] : [];
  const { problems = 0, defaults = 0 } = counts as Record<string, number>;
  const more = isFiltered ? 'more rows' : counted(problems + defaults - rows.length, 'more row');
  return [
    '',
    tablesOfRows(rows),
    ...(hasMore ? [`and ${more}: --out problems.csv saves all, to be corrected`] : []),
  ];
}

/** A note for short links, which outlive their campaign. */
function linesOfShortLinks({ id, counts }: Campaign): string[] {
  const { short = 0 } = counts as Record<string, number>;
  if (short === 0) return [];
  return [
    `short links keep their values in the service until they end, or until you run: platen campaign delete ${id} --short-links`,
  ];
}

/** Deletes a campaign, because its list is personal data. */
async function remove({ client }: RunningService, id: string): Promise<void> {
  await convertErrors(() => client.request('DELETE /v1/campaigns/{id}', { path: { id } }));
}
