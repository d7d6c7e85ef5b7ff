/** Says to a person what went wrong with a call, in the service's words where it has some. */
import type { Template } from '#language/schema/template.ts';
import type { PlatenError } from '../../client/platen-client.ts';
import { flattenLayers } from './layers.ts';

/** Lines of a list that are worth reading at once. */
const linesMax = 4;

/** The HTTP status of what a call rejected with; 0 when there was no answer, -1 when it is no error of a call. */
export function statusOf(error: unknown): number {
  return isCallError(error) ? error.status : -1;
}

/** One sentence a line: what is wrong, with the place in the document, and what to do where the service does not say. */
export function explainError(error: unknown): string {
  if (!isCallError(error)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0)
    return 'The service does not answer. Check the connection; nothing is lost.';
  if (error.status === 401) return 'The key is no longer valid. Sign in again.';
  if (error.status === 403) return `${error.message} Sign in with a key that may write.`;
  const lines = error.details.map(({ path, message }) => {
    const place = path.replace(/^template\./, '');
    return place.startsWith('(') || place === ''
      ? `The document ${message}.`
      : `${place} ${message}.`;
  });
  if (lines.length === 0) return error.message;
  const more = lines.length - linesMax;
  return [...lines.slice(0, linesMax), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

/** By its shape, so that this module needs nothing of the client at run time. */
function isCallError(error: unknown): error is PlatenError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** Ids of the layers that a message names by their paths (`layers[2].layers[0]`) or in quotes (`"photo"`), each once. */
export function namedLayers(message: string, document: Pick<Template, 'layers'>): string[] {
  const paths = new Set(message.match(/layers\[\d+\](?:\.layers\[\d+\])*/g));
  const quoted = new Set(Array.from(message.matchAll(/["“”]([\w-]{1,64})["“”]/g), ([, id]) => id));
  return flattenLayers(document)
    .filter(({ layer, path }) => paths.has(path) || quoted.has(layer.id))
    .map(({ layer }) => layer.id);
}
