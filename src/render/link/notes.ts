/** The notes of a response for the log, the metrics and the statistics. */
import type { Reply, ReplyNotes } from '../../http/reply.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { PublishedLink } from '../../store/template-link.ts';
import type { Render } from '../cache.ts';
import type { ValueNotes } from '../parse-value.ts';

/** The notes of every response to a link. */
export function linkNotes({ uid, version }: PublishedLink, values?: ValueNotes): ReplyNotes {
  return { template: uid, version, ...valueNotes(values) };
}

/** What is remarkable about the values of a link; undefined for most links. */
export function valueNotes({ isUnmerged, corrected }: ValueNotes = {}): ReplyNotes | undefined {
  if (isUnmerged !== true && corrected === undefined) return undefined;
  return {
    ...(isUnmerged === true ? { unmerged: 1 } : {}),
    ...(corrected === undefined ? {} : { corrected: 1 }),
  };
}

/** The response with further notes. */
export function withNotes(reply: Reply, notes: ReplyNotes | undefined): Reply {
  return notes === undefined ? reply : { ...reply, notes: { ...reply.notes, ...notes } };
}

/** The notes of a rendered image for the log: also `degraded`, `drawn`, and the time of each stage, as in `paintMs`. */
export function renderNotes(
  template: PublishedTemplate,
  { stages, drawn, etag }: Render,
): ReplyNotes {
  const degraded = etag === undefined ? { degraded: 1 } : {};
  const notes: Record<string, string | number> = { ...linkNotes(template), ...degraded, drawn };
  for (const stage of Object.keys(stages)) {
    notes[`${stage}Ms`] = Math.round((stages[stage] ?? 0) * 10) / 10;
  }
  return notes;
}
