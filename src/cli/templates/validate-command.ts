/** `platen validate`: checks template files and names the line and column of each problem. */
import { resolve } from 'node:path';
import { exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { problemLine, readTemplateFile } from './read.ts';
import type { FileProblem } from './read.ts';
import { colored, counted } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Checks every file and reports all problems of all of them. JSON: `{"valid","files":[{"file","valid","problems":[{"file","line",
 * "column","path","message"}],"warnings"}]}`. 66 when a file cannot be read, else 1 when one is not valid.
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
