/** The rules on the shape of a file: its name, its length, its first words, and words that must not be in it. */
import { checkedTexts, foreignWords, retiredWords, uncheckedTexts } from './retired-words.ts';
import type { RepositoryFile, SourceFile, TextFile } from './source-files.ts';

/** Lines of a source file, from the design: a file is read in one sitting. */
const linesMax = 300;

/** Bytes of any file: a clone stays small, and an image in it was thought about. */
const bytesMax = 256 * 1024;
/**
 * Of a variable font, which no package has whole as TrueType, of the list of icons, of the generated description of the API,
 * and of the lock file that npm writes.
 */
const largeBytesMax = 1024 * 1024;
const isLarge =
  /^data\/(svg-)?fonts\/[\w-]+\.ttf$|^data\/icons\/lucide\.json$|^docs\/openapi\.json$|^package-lock\.json$/;

/** Files with a reason to have more lines than others. */
const longFiles: ReadonlySet<string> = new Set([
  // Written by `npm run docs`: some lines for each endpoint.
  'src/client/endpoints.ts',
]);

/** What must not be in a committed text. The patterns are written so that they do not match themselves. */
const bannedWords: ReadonlyArray<readonly [pattern: RegExp, reason: string]> = [
  [/FIX(?:ME)/, 'fix it, or write an issue and its number'],
  [/\bTO(?:DO)\b(?!\(#\d+\))/, 'a task that may stay has the number of its issue in brackets'],
  [/(?<![\w.}-])\/(?:work|root|home\/[\w-]+|Users\/[\w-]+)\//, 'a path of one machine'],
  [/registry\.npm(?:js)\.org/, 'any registry serves the packages'],
  [/localhost\.local(?:domain)/, 'a name of one machine'],
];

/** Complains about a file name that says nothing of what is inside. */
export function checkNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /(^|\/)(index|utils?|helpers?|misc|common)\.tsx?$/.test(path))
    .map(({ path }) => `${path}: name the file after what it does`);
}

/** Complains about a default export. */
export function checkDefaultExports(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ text }) => {
      return /^export default\b/m.test(text) || /^export \{[^}]*\bas default\b/m.test(text);
    })
    .map(({ path }) => `${path}: export it by its name, not as default`);
}

/** Complains about a file that is too long to read. */
export function checkLength(files: readonly SourceFile[]): string[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ path, lines }) => lines > linesMax && !longFiles.has(path))
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${linesMax}`);
}

/** Complains about a file that does not open with a sentence on its role; the titles of a test are its role. */
export function checkRoles(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .filter(({ text }) => {
      const opening = /^(?:#!.*\n)?\/\*\*\s+(?:\*\s+)?([\s\S]*?)\*\//.exec(text)?.[1] ?? '';
      return !/^[^a-z\s][^]*[.:]/.test(opening);
    })
    .map(({ path }) => `${path}: open it with /** one sentence on its role. */`);
}

/** Complains about each banned word, with its line. */
export function checkWords(texts: readonly TextFile[]): string[] {
  return texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      bannedWords
        .filter(([pattern]) => pattern.test(line))
        .map(([pattern, reason]) => {
          const word = pattern.exec(line)?.[0] ?? '';
          return `${path}:${index + 1}: "${word}": ${reason}`;
        }),
    ),
  );
}

/** Complains about each retired word in the names, comments and texts of the files that are checked, with a better word. */
export function checkRetiredWords(texts: readonly TextFile[]): string[] {
  return texts
    .filter(({ path }) => checkedTexts.test(path) && uncheckedTexts[path] === undefined)
    .flatMap(({ path, text }) => {
      const lines = [path.split('/').at(-1) ?? '', ...checkedLines(path, text)];
      return wordsOf(lines.join('\n')).flatMap((line, number) =>
        retiredIn(line).map((complaint) => `${path}:${number}: ${complaint}`),
      );
    });
}

/** The lines of a text with its identifiers parted into words, without what others chose. */
function wordsOf(text: string): string[] {
  return (
    foreignWords
      .reduce((rest, pattern) => rest.replaceAll(pattern, ' ; '), text)
      // To place is what layout does: `placeLine` is a verb.
      .replaceAll(/\bplace(?=[A-Z]|-)/g, 'put ')
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_#$]/g, ' ')
      .split('\n')
  );
}

const anyRetired = new RegExp(retiredWords.map(([pattern]) => pattern.source).join('|'), 'i');

function retiredIn(line: string): string[] {
  if (!anyRetired.test(line)) return [];
  return retiredWords.flatMap(([pattern, better]) => {
    const word = pattern.exec(line)?.[0];
    return word === undefined ? [] : [`"${word}": write ${better}`];
  });
}

/** The lines of a text: all of code, and of Markdown those outside of fenced blocks, without code spans, tags and addresses. */
function checkedLines(path: string, text: string): string[] {
  if (!path.endsWith('.md')) return text.split('\n');
  let isFenced = false;
  return text.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? '' : proseOf(line);
  });
}

function proseOf(line: string): string {
  return line
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

/** Complains about a file that is too big for a repository. */
export function checkSizes(files: readonly RepositoryFile[]): string[] {
  return files
    .map((file) => ({ ...file, most: isLarge.test(file.path) ? largeBytesMax : bytesMax }))
    .filter(({ bytes, most }) => bytes > most)
    .map(({ path, bytes, most }) => `${path}: ${bytes} bytes, at most ${most}`);
}

/**
 * Complains about a changelog that is not in the form of Keep a Changelog 1.1: versions newest first with their
 * dates, changes under the six headings.
 */
export function checkChangelog(text: string): string[] {
  const complaints: string[] = [];
  const lines = text.split('\n');
  if (lines[0] !== '# Changelog') complaints.push('the first line is "# Changelog"');
  const versions = lines.filter((line) => line.startsWith('## '));
  if (versions.length === 0) complaints.push('there is no version and no "## [Unreleased]"');
  for (const [index, line] of versions.entries()) {
    const isUnreleased = line === '## [Unreleased]' && index === 0;
    if (!isUnreleased && !/^## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(line)) {
      complaints.push(
        `"${line}" is neither "## [1.2.3] - 2030-01-31" nor a first "## [Unreleased]"`,
      );
    }
  }
  const dates = versions.flatMap((line) => / - (\S+)$/.exec(line)?.[1] ?? []);
  if (dates.join() !== dates.toSorted().toReversed().join()) {
    complaints.push('the newest version comes first');
  }
  for (const line of lines.filter((entry) => entry.startsWith('### '))) {
    if (!/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(line)) {
      complaints.push(`"${line}" is none of the six headings`);
    }
  }
  return complaints;
}
