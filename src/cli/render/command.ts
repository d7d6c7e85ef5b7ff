/** `platen render`: renders a template file with the service's code, without a running service or a database. */
import { extname, join, resolve } from 'node:path';
import { parseInstant } from '#language/clock/deadline.ts';
import { formatByName } from '#language/formats.ts';
import { expectedDate } from '#language/values/date-value.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { suggestName } from '#language/check/name-suggestions.ts';
import type { Query, QueryParameter } from '../../http/query.ts';
import { chooseSize, parseRenderPath, resolveOptions } from '../../render/request.ts';
import { noTables } from '../../render/table-values.ts';
import { resolveVariables } from '../../render/values.ts';
import type { Invocation } from '../terminal.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { loadOfflineTemplate } from './offline-template.ts';
import type { OfflineTemplate } from './offline-template.ts';
import { warningText } from '../../render/warnings.ts';
import { drawOffline } from './offline-renderer.ts';
import { problemLine, readTemplateFile } from '../templates/read.ts';
import { counted } from '../terminal.ts';
import { writeWhole } from '../files.ts';

export interface RenderCommandOptions {
  output: string;
  set: string[];
  format?: string;
  scale?: string;
  quality?: string;
  lang?: string;
  size?: string;
  org?: string;
  now?: string;
}

/**
 * Renders one template file. The bytes equal those of the first image that a service renders of the template. JSON:
 * `{"file","format","bytes","warnings":["TEXT_TRUNCATED;layer=\"title\""]}`, or the problems of an invalid file.
 */
export async function renderFile(
  file: string,
  options: RenderCommandOptions,
  { terminal, startDirectory }: Invocation,
): Promise<ExitCode> {
  const path = resolve(startDirectory, file);
  const read = await readTemplateFile(path, file);
  if (!read.ok) {
    const { problems, isMissing } = read;
    terminal.result({ valid: false, problems }, '');
    terminal.note([...problems.map(problemLine), counted(problems.length, 'problem')].join('\n'));
    return isMissing ? exitCodes.noInput : exitCodes.problems;
  }
  const fonts = await loadOrganizationFonts(read.document, options.org);
  const template = await loadOfflineTemplate(path, read.document, startDirectory, fonts);
  const query = await toQuery(options, template);
  const published = chooseSize(template.published, query);
  const values = resolveVariables(published, query, noTables);
  const nowMs = readNow(options.now, published.document);
  const renderOptions = resolveOptions(parseRenderPath(published.uid), query, published, nowMs);
  const sized = { ...template, published };
  const { bytes, format, warnings } = await drawOffline(sized, renderOptions, values);
  const warned = warnings.map(warningText);
  for (const warning of warned) terminal.warn(warning);
  if (options.output === '-') {
    // Standard output carries only the image.
    await new Promise<void>((done) => {
      process.stdout.write(bytes, () => done());
    });
    return exitCodes.ok;
  }
  const target = resolve(startDirectory, options.output);
  writeWhole(target, bytes);
  terminal.result(
    { file: target, format, bytes: bytes.byteLength, warnings: warned },
    `${options.output}  ${format}, ${bytes.byteLength} bytes`,
  );
  return exitCodes.ok;
}

/** The time of the render in ms: that of `--now`, in the zone of the template, or now. */
function readNow(text: string | undefined, { clock }: Template): number {
  if (text === undefined) return Date.now();
  const nowMs = parseInstant(text, clock?.zone);
  if (nowMs === undefined) {
    throw new CommandError(exitCodes.usage, `--now ${text}: expected ${expectedDate}.`);
  }
  return nowMs;
}

/** The organization's fonts that the document names; empty without an organization. */
async function loadOrganizationFonts(
  document: Template,
  org: string | undefined,
): Promise<readonly OrganizationFontFamily[]> {
  if (org === undefined) return [];
  const { chooseOrganization, withLocalDatabase } = await import('../local-database.ts');
  const { createFontStore } = await import('../../store/assets/font-store.ts');
  return withLocalDatabase({ mayCreate: false }, async ({ organizations, db, config, shared }) => {
    const { uid } = chooseOrganization(organizations, org);
    const directory = join(resolve(config.templates.dataDirectory), 'fonts', 'own');
    const fonts = createFontStore(db, directory, undefined, shared?.files);
    const families = fonts.findFamilies(uid, document);
    await fonts.restoreFiles(uid, families);
    return families;
  });
}

/** The values and options as the query of a link. */
async function toQuery(options: RenderCommandOptions, template: OfflineTemplate): Promise<Query> {
  const names = [...template.published.variables.keys()];
  const parameters: QueryParameter[] = [];
  for (const text of options.set) {
    const equals = text.indexOf('=');
    if (equals < 1) {
      throw new CommandError(exitCodes.usage, `--set ${text}: expected name=value.`);
    }
    const name = text.slice(0, equals);
    if (!template.published.variables.has(name)) {
      const meant = suggestName(name, names);
      const hint =
        meant === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean ${meant}?`;
      throw new CommandError(
        exitCodes.usage,
        `--set ${name}: the template has no variable of that name; ${hint}`,
      );
    }
    const value = await template.valueOf(name, text.slice(equals + 1));
    parameters.push({ name, value, raw: `${name}=${encodeURIComponent(value)}` });
  }
  const format = options.format ?? formatOf(options.output);
  const asked = {
    _format: format,
    _scale: options.scale,
    _quality: options.quality,
    _lang: options.lang,
    _size: options.size,
  };
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) parameters.push({ name, value, raw: `${name}=${value}` });
  }
  return { parameters, isTruncated: false };
}

/** The format name in the extension of a file; undefined for another extension. */
function formatOf(path: string): string | undefined {
  const extension = extname(path).slice(1).toLowerCase();
  return formatByName.has(extension) ? extension : undefined;
}
