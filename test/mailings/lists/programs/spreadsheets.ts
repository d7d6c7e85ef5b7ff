/** Lets LibreOffice and Gnumeric write lists. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainCsv, run, workFolder, type Job } from './job.ts';

/** Reads CSV as UTF-8 and finds dates in it. */
const libreOfficeInput = 'CSV:44,34,76,1,,1033,false,true';

/** One start of LibreOffice writes all lists with the same settings. */
export function writeWithLibreOffice(jobs: readonly Job[]): void {
  for (const [filter, group] of Map.groupBy(jobs, libreOfficeFilter)) {
    const [input, output] = [join(workFolder, 'office-in'), join(workFolder, 'office-out')];
    for (const folder of [input, output]) mkdirSync(folder, { recursive: true });
    const sources = group.map((job, index) => {
      const path = join(input, `${index}.csv`);
      writeFileSync(path, plainCsv(job));
      return path;
    });
    const extension = filter === 'xlsx' ? 'xlsx' : 'csv';
    run('soffice', [
      '--headless',
      `-env:UserInstallation=file://${join(workFolder, 'office')}`,
      `--infilter=${libreOfficeInput}`,
      '--convert-to',
      filter,
      '--outdir',
      output,
      ...sources,
    ]);
    for (const [index, { path }] of group.entries())
      copyFileSync(join(output, `${index}.${extension}`), path);
  }
}

function libreOfficeFilter({ program, name, separator, quoteAll }: Job): string {
  if (program === 'libreoffice-xlsx') return 'xlsx';
  return `csv:Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,${name},1,,0,${quoteAll},true,false`;
}

/** Gnumeric takes the rows from a workbook of LibreOffice, as its own reading of CSV would change texts into numbers. */
export function writeWithGnumeric(jobs: readonly Job[]): void {
  const sources = jobs.map((job, index) => ({
    ...job,
    program: 'libreoffice-xlsx',
    path: join(workFolder, `gnumeric-${index}.xlsx`),
  }));
  writeWithLibreOffice(sources);
  for (const [index, job] of jobs.entries()) {
    const output =
      job.program === 'gnumeric-xlsx'
        ? ['--export-type=Gnumeric_Excel:xlsx2']
        : ['--export-type=Gnumeric_stf:stf_assistant', '-O', gnumericOptions(job)];
    run('ssconvert', [...output, sources[index]?.path ?? '', `file://${job.path}`]);
  }
}

function gnumericOptions({ name, separator, quoteAll, isDos }: Job): string {
  const shown = separator === '\t' ? '"\t"' : `'${separator}'`;
  return `separator=${shown} charset=${name} format=preserve eol=${isDos ? 'windows' : 'unix'} quoting-mode=${quoteAll ? 'always' : 'auto'}`;
}
