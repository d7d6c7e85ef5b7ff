/** Describes problems of a document by the names of its layers, in place of paths. */
import type { ErrorDetail } from '../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { pathWords } from './panels/fields/labels.ts';
import { flattenLayers, nameOf } from './state/layers.ts';
import {
  explainFailure,
  isOfLayers,
  isValuePath,
  isWithin,
  linesOf,
  sentenceOf,
} from './wording.ts';
import type { Failure } from './wording.ts';

/** Returns the sentences of a failure, one line per problem. */
export function failureWords({ text, problems }: Failure, document: Template): string {
  if (problems.length === 0) return text;
  return linesOf(problems.map((problem) => problemWords(problem, document)));
}

/** Returns the sentences of a call's error, with names of the document that the call sent. */
export function errorWords(error: unknown, document: Template): string {
  return failureWords(explainFailure(error), document);
}

const tooLong =
  'With the longest values, the texts could take too long to draw. Until they have limits, the newest of them is not saved.';

/** Names what is unfinished in a document that is saved otherwise; its fields say why. */
export function unfinishedWords({ problems, isTooLong }: Failure, document: Template): string {
  if (isTooLong === true) return tooLong;
  const sentences = problems.map((problem) =>
    isOfLayers(problem)
      ? problemWords(problem, document)
      : `${subjectOf(problem.path, document)} is unfinished.`,
  );
  return linesOf([...new Set(sentences), 'All else is saved.']);
}

/** Returns a problem as a sentence: `Font size of “Title” is 0, expected …`. */
export function problemWords(problem: ErrorDetail, document: Template): string {
  const { path, message } = problem;
  if (isValuePath(path)) return sentenceOf(problem);
  return `${subjectOf(path, document)} ${message}.`;
}

function subjectOf(path: string, document: Template): string {
  const around = flattenLayers(document).filter((each) => isWithin(path, each.path));
  const inner = around.toSorted((one, other) => other.path.length - one.path.length)[0];
  if (inner !== undefined) return partOf(path.slice(inner.path.length), `“${nameOf(inner.layer)}”`);
  const [whole, index] = /^variables\[(\d+)\]/.exec(path) ?? [];
  const variable = document.variables[Number(index)];
  if (whole !== undefined && variable !== undefined) {
    return partOf(path.slice(whole.length), `the variable “${variable.name}”`);
  }
  return path === '' ? 'The template' : partOf(path, 'the template');
}

/** Names a part of a layer, a variable or the template: `.spans[1].text` is Styled part 2, text of “Title”. */
function partOf(path: string, whole: string): string {
  const words = pathWords(path);
  if (words === '') return whole.charAt(0).toUpperCase() + whole.slice(1);
  return `${words} of ${whole}`;
}
