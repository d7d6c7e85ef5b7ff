/** Reads and validates template files, with the position of every problem in the text. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { checkTemplate } from '#language/template.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template } from '#language/schema/template.ts';
import { errorMessage, exitCodes } from '../exit-codes.ts';
import { parseJsonDocument } from './json-document.ts';
import type { JsonDocument } from './json-document.ts';
import type { ExitCode } from '../exit-codes.ts';
import { colored, counted } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

/** A problem of a file and its position in the text. */
export interface FileProblem {
  file: string;
  line: number;
  column: number;
  /** The JSON path, `(document)` for the whole document. Absent if the text is no JSON or cannot be read. */
  path?: string;
  message: string;
}

/** The result of reading a file. `isMissing`: the file cannot be read. */
export type TemplateFile =
  | { ok: true; document: Template; warnings: FileProblem[] }
  | { ok: false; isMissing: boolean; problems: FileProblem[] };

/** Reads and checks one template file and its image files. Never throws for the content of the file. */
export async function readTemplateFile(path: string, shownName = path): Promise<TemplateFile> {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > templateLimits.documentBytesMax) {
      const message = `has ${size} bytes, a template at most ${templateLimits.documentBytesMax}: keep images in files beside it`;
      return refused([{ file: shownName, line: 1, column: 1, message }]);
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const problem = { file: shownName, line: 1, column: 1, message: errorMessage(error) };
    return { ok: false, isMissing: true, problems: [problem] };
  }
  const json = parseJsonDocument(text);
  if (!json.ok) {
    const { line, column, message } = json;
    return refused([{ file: shownName, line, column, message: `is no JSON: ${message}` }]);
  }
  const checked = checkTemplate(json.value);
  const problems = checked.ok
    ? await imageProblems(path, text, checked.template)
    : checked.problems;
  if (!checked.ok || problems.length > 0) {
    const placed = problems.map((each) => ({
      file: shownName,
      ...json.locate(each.path),
      ...each,
    }));
    return refused(placed.toSorted((a, b) => a.line - b.line || a.column - b.column));
  }
  return { ok: true, document: checked.template, warnings: repeatWarnings(shownName, json) };
}

function refused(problems: FileProblem[]): TemplateFile {
  return { ok: false, isMissing: false, problems };
}

function repeatWarnings(file: string, json: JsonDocument): FileProblem[] {
  return json.repeats.map(({ path, position }) => {
    const message = 'stands here a second time; this one counts';
    return { file, ...position, path, message };
  });
}

/** Problems of the image files that the document names. */
async function imageProblems(
  path: string,
  text: string,
  document: Template,
): Promise<{ path: string; message: string }[]> {
  // Most documents name no image files, and this import loads the database's code.
  if (!text.includes('"./')) return [];
  const { mapImages, readImage } = await import('../../store/template-images.ts');
  const { drawSvg, isSvg, readFileHeader } = await import('../render/svg-images.ts');
  const folder = { directory: dirname(path), readHeader: readFileHeader };
  const problems: { path: string; message: string }[] = [];
  const drawings: { path: string; reference: string; bytes: Uint8Array }[] = [];
  mapImages(document, (reference, jsonPath) => {
    try {
      const { bytes } = readImage(folder, reference, `"${reference}"`);
      if (isSvg(bytes)) drawings.push({ path: jsonPath, reference, bytes });
    } catch (error) {
      problems.push({ path: jsonPath, message: errorMessage(error) });
    }
    return reference;
  });
  for (const { path: jsonPath, reference, bytes } of drawings) {
    try {
      await drawSvg(bytes, `"${reference}"`);
    } catch (error) {
      problems.push({ path: jsonPath, message: errorMessage(error) });
    }
  }
  return problems;
}

/** The uid of a template file: `hello` for `hello.json`. */
export function fileUid(path: string): string {
  return basename(path, '.json');
}

/** A problem in the format of compilers: `file.json:3:7 layers[0].fill is …`. */
export function problemLine({ file, line, column, path, message }: FileProblem): string {
  return `${file}:${line}:${column} ${path === undefined ? '' : `${path} `}${message}`;
}

// `platen validate`.

/**
 * Checks every file and reports all problems. Exit code 66 if a file cannot be read, otherwise 1 if one is invalid.
 * JSON: `{"valid","files":[{"file","valid","problems":[{"file","line","column","path","message"}],"warnings"}]}`.
 */
export async function validate(
  files: readonly string[],
  startDirectory: string,
  terminal: Terminal,
): Promise<ExitCode> {
  const reports: {
    file: string;
    valid: boolean;
    problems: FileProblem[];
    warnings: FileProblem[];
  }[] = [];
  let exitCode: ExitCode = exitCodes.ok;
  for (const file of files) {
    const read = await readTemplateFile(resolve(startDirectory, file), file);
    const problems = read.ok ? [] : read.problems;
    reports.push({ file, valid: read.ok, problems, warnings: read.ok ? read.warnings : [] });
    if (!read.ok && exitCode !== exitCodes.noInput) {
      exitCode = read.isMissing ? exitCodes.noInput : exitCodes.problems;
    }
  }
  const lines = reports.flatMap(({ file, valid, problems, warnings }) => [
    ...(valid ? [`${colored('green', 'valid')}  ${file}`] : []),
    ...problems.map(problemLine),
    ...warnings.map((warning) => `${problemLine(warning)} (${colored('yellow', 'warning')})`),
  ]);
  const count = reports.reduce((sum, { problems }) => sum + problems.length, 0);
  if (count > 0) lines.push(`${counted(count, 'problem')} in ${counted(files.length, 'file')}`);
  terminal.result({ valid: count === 0, files: reports }, lines.join('\n'));
  return exitCode;
}
