/** What a template shows at a time, without drawing it: for laws of keys and lifetimes. */
import { createBinder, formatContext } from '#language/bind/binder.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { renderTimeMs } from '#language/clock/clock-use.ts';
import { deadlineOf } from '#language/clock/deadline.ts';
import { changesAtMs, momentKey } from '#language/clock/lifetime.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';

export interface ImageAt {
  /** The bound layers as JSON. */
  drawn: string;
  key: string;
  /** End of its lifetime, ms since the epoch. */
  endMs: number;
  /** Deadline of its countdown. */
  untilMs: number | undefined;
}

/** The image of a template with its defaults; `atMs` is ms since the epoch. */
export function imageAt(template: Template, atMs: number): ImageAt {
  const timeMs = renderTimeMs(template, atMs) ?? 0;
  const values = new Map(template.variables.map((each) => [each.name, defaultText(each)]));
  const context = formatContext(template, {});
  const moment = { ...deadlineOf(template, { values, context, timeMs }), timeMs };
  const binder = createBinder(template, values, moment);
  return {
    drawn: JSON.stringify(resolveLayers(template, values, moment).layers),
    key: momentKey(template, moment, [binder]),
    endMs: changesAtMs(template, moment, [binder]),
    untilMs: moment.untilMs,
  };
}
