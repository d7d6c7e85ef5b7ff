/** Parsers of the options of a link, each from its text. */
import { formatByName } from '#language/formats.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { canonicalLanguage } from '#language/values/intl.ts';
import type { RenderFormat, RenderScale } from '#wire/render-job.ts';
import { renderFormats, renderScales } from '#wire/render-job.ts';

export interface OptionParser<Value> {
  name: string;
  /** Returns undefined for an invalid text. */
  parse: (text: string) => Value | undefined;
  /** Continues "must be". */
  expected: string;
}

export const formatParser: OptionParser<RenderFormat> = {
  name: '_format',
  parse: (text) => formatByName.get(text.toLowerCase()),
  expected: `one of ${renderFormats.join(', ')}`,
};

export const qualityParser: OptionParser<number> = {
  name: '_quality',
  parse: (text) => {
    const quality = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    return quality >= 1 && quality <= 100 ? quality : undefined;
  },
  expected: 'a whole number from 1 to 100',
};

/** A tag has at most 35 characters, except for private extensions (RFC 5646, 4.4.1). */
const langCharactersMax = 35;

export const langParser: OptionParser<string> = {
  name: '_lang',
  parse: (text) => (text.length > langCharactersMax ? undefined : canonicalLanguage(text)),
  expected: 'a language tag (BCP 47) such as de or pt-BR',
};

export const framesParser: OptionParser<number> = {
  name: '_frames',
  parse: (text) => {
    const frames = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    return frames >= 1 && frames <= templateLimits.framesMax ? frames : undefined;
  },
  expected: `a whole number from 1 to ${templateLimits.framesMax}`,
};

export const animatedParser: OptionParser<boolean> = {
  name: '_animated',
  parse: (text) => (text === '1' || text === '0' ? text === '1' : undefined),
  expected: '1, for a WebP or PNG that moves, or 0',
};

export const scaleParser: OptionParser<RenderScale> = {
  name: '_scale',
  parse: (text) => renderScales.find((known) => String(known) === text),
  expected: `one of ${renderScales.join(', ')}`,
};
