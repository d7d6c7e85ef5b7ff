/** The mixed load of a real service: all sample templates at three scales, in their formats and in others, with remote photographs. */

/** Formats that links name themselves; the other links take the template's. */
const otherFormats = ['webp', 'webp', 'avif'] as const;
/** One link in so many names a format. */
const otherFormatEvery = 9;
const scales = [1, 2, 3] as const;

const names = ['Ada', 'Grace', 'Linus', 'Margaret', 'Edsger', 'Barbara', 'Донаlд', '美咲'];

type Values = (index: number, photoUrl: string) => Record<string, string>;

export const mixedTemplates: readonly (readonly [uid: string, values: Values])[] = [
  ['welcome-banner', (index, photo) => ({ name: nameOf(index), photo })],
  ['product-card', (index, product) => ({ product, title: `Item ${index}`, price: `${index} €` })],
  ['hello', (index) => ({ name: nameOf(index) })],
  ['quote', (index) => ({ quote: `${index} roads diverged in a wood`, author: nameOf(index) })],
  ['event-ticket', (index) => ({ name: nameOf(index), code: `T-${index}`, seat: `${index % 90}` })],
  ['countdown-banner', (index) => ({ deadline: `2030-01-${1 + (index % 28)}` })],
];

/** The path of the link of this number; each is another one. `photoUrl` gives the address of a photograph by a number. */
export function mixedLink(index: number, photoUrl: (number: number) => string): string {
  const template = mixedTemplates[index % mixedTemplates.length];
  if (template === undefined) throw new Error(`${index} is no whole number from 0 on.`);
  const [uid, values] = template;
  const turn = Math.floor(index / mixedTemplates.length);
  const scale = scales[turn % scales.length] ?? 1;
  const query = new URLSearchParams(values(index, photoUrl(spread(index))));
  if (scale !== 1) query.set('_scale', String(scale));
  if (turn % otherFormatEvery === otherFormatEvery - 1) {
    const format = otherFormats[spread(index) % otherFormats.length] ?? 'webp';
    // AVIF above 4 megapixels is refused.
    query.set('_format', format);
    if (format === 'avif') query.delete('_scale');
  }
  return `/v1/render/${uid}?${query.toString()}`;
}

function nameOf(index: number): string {
  return `${names[index % names.length]} ${index}`;
}

/** A number that looks random and is the same each time (Knuth's multiplicative hash). */
function spread(index: number): number {
  return (Math.imul(index, 2_654_435_761) >>> 0) >>> 8;
}
