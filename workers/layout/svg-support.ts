/**
 * Names what an SVG layer has that the renderer draws otherwise than browsers, or not at all. `docs/svg-support.md` has each
 * feature with its measured difference, and `test/images/svg-features` holds that none is drawn otherwise without a name.
 */
import { LRUCache } from 'lru-cache';
import { hasForeignObject, withoutComments } from '#language/check/svg-markup.ts';

/** Warnings of one layer at most. */
const namesMax = 20;

/** An element by its local name. */
function element(name: string): RegExp {
  return new RegExp(String.raw`<(?:[\w.-]{1,40}:)?${name}[\s/>]`);
}

/** A property of CSS, or the attribute of this name, with a value other than what is drawn as it is. */
function property(name: string, plain = ''): RegExp {
  const other = plain === '' ? '' : String.raw`(?!\s*["']?\s*(?:${plain})\s*[;"'}!])`;
  return new RegExp(String.raw`(?<![\w-])${name}\s*[:=]${other}`);
}

/** A function of CSS. */
function cssFunction(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w-])${name}\(`, 'i');
}

const attributes = '[^<>]{0,1000}';
const normal = 'normal|auto|initial|inherit';

const features: readonly (readonly [name: string, pattern: RegExp])[] = [
  ...['textPath', 'set', 'animateMotion', 'feSpecularLighting'].map(
    (name) => [`<${name}>`, element(name)] as const,
  ),
  ...['oklch', 'oklab', 'lab', 'lch', 'color-mix', 'light-dark', 'env', 'calc'].map(
    (name) => [`${name}()`, cssFunction(name)] as const,
  ),
  ['var()', /\bvar\(\s*--/],
  ['color()', /(?<![\w-])color\(\s*[a-z]/i],
  ['a relative colour', /(?<![\w-])(?:rgb|hsl)a?\(\s*from\s/i],
  ...['supports', 'layer', 'scope', 'property', 'font-face'].map(
    (name) => [`@${name}`, new RegExp(`@${name}\\b`)] as const,
  ),
  ['@media', /@media(?!\s*(?:print\b|\(\s*prefers-color-scheme\s*:\s*dark\s*\)))/],
  ['media of a <style>', new RegExp(String.raw`<style\b${attributes}\smedia\s*=`)],
  [':is(), :where() or :has()', /:(?:is|where|has)\(/],
  ['all', /(?<![\w-])all\s*:/],
  ['initial', /:\s*initial\s*[;}"'!]/],
  ['pathLength', /\spathLength\s*=/],
  ['textLength', /\stextLength\s*=/],
  ['transform-origin', property('transform-origin', '0(?:px)?(?:\\s+0(?:px)?)?')],
  ['transform-box', property('transform-box', 'view-box')],
  ['translate, rotate or scale as a property', /[;{"'\s](?:translate|rotate|scale)\s*:/],
  ['transforms in three dimensions', /\b(?:rotate[XY]|rotate3d|matrix3d|perspective)\(/],
  ['transform in %', /\btranslate[XY]?\([^()]{0,60}%/],
  ['offset-path', property('offset-path', 'none')],
  [
    'clip-path of a shape',
    /clip-path\s*[:=]\s*["']?\s*(?:circle|ellipse|polygon|inset|path|rect|xywh)\(/,
  ],
  ['a gradient as a mask', /(?<![\w-])mask(?:-image)?\s*:[^;"']{0,40}gradient\(/],
  ['d as a property', /[;{"'\s]d\s*:\s*path\(/],
  ['mix-blend-mode: plus-lighter', /plus-(?:lighter|darker)/],
  [
    '<feBlend> in this mode',
    new RegExp(String.raw`<feBlend\b${attributes}\smode\s*=\s*["'](?!normal)`),
  ],
  ['viewBox of a <pattern>', new RegExp(String.raw`<pattern\b${attributes}\sviewBox\s*=`)],
  ['<feImage> of an element', new RegExp(String.raw`<feImage\b${attributes}href\s*=\s*["']#`)],
  ['BackgroundImage', /\bin2?\s*=\s*["']Background(?:Image|Alpha)["']/],
  ['vw or vh', /[\d.](?:vw|vh|vmin|vmax)(?=["';\s)}])/],
  ['font as a property', /(?<![\w-])font\s*:/],
  ['small capitals', /small-caps/],
  ['font-feature-settings', property('font-feature-settings', normal)],
  ['font-kerning', property('font-kerning', normal)],
  [
    'positions of letters',
    new RegExp(
      String.raw`<(?:text|tspan)\b${attributes}\sd?[xy]\s*=\s*["']\s*[-\d.e%a-z]{1,40}[\s,]+[-\d.]`,
    ),
  ],
  ['rotate of letters', new RegExp(String.raw`<(?:text|tspan)\b${attributes}\srotate\s*=`)],
  ['text-decoration', property('text-decoration', 'none')],
  ['text-transform', property('text-transform', 'none')],
  ['text-shadow', property('text-shadow', 'none')],
  ['dominant-baseline', property('dominant-baseline', 'auto|alphabetic|inherit')],
  ['alignment-baseline', property('alignment-baseline', 'auto|baseline|alphabetic|inherit')],
  ['text-orientation', property('text-orientation', 'mixed')],
  ['inline-size', property('inline-size', 'auto|0')],
  ['shape-inside', property('shape-inside', 'auto|none')],
];

/** Features that are found behind the root, whose size and position the layer decides. */
const contentFeatures: typeof features = [
  ['lengths in mm, cm, in, pt or pc', /[\d.](?:mm|cm|in|pt|pc|Q)(?=["';\s)}])/],
  ['background of the root', /(?:^|[\s,};>])(?:svg|:root)\s*\{[^{}]{0,400}\bbackground/],
];
const rootFeatures: typeof features = [
  ['background of the root', property('background(?:-color)?', 'none|transparent')],
  ['filter of the root', property('filter', 'none')],
  ['transform of the root', property('transform', 'none')],
];

/** By markup, because a search takes 0.1 ms for an icon, and 2 ms for 60 KB. The bound is in UTF-16 units. */
const found = new LRUCache<string, readonly string[]>({
  maxSize: 2 ** 20,
  sizeCalculation: (_, svg) => svg.length + 1,
});

/** What a warning says about the features of an SVG. */
export function unsupportedInSvg(svg: string): readonly string[] {
  let details = found.get(svg);
  if (details === undefined) found.set(svg, (details = findUnsupported(svg)));
  return details;
}

function findUnsupported(svg: string): string[] {
  const markup = withoutComments(svg);
  const rootEnd = markup.indexOf('>', markup.indexOf('<svg')) + 1;
  const [root, content] = [markup.slice(0, rootEnd), markup.slice(rootEnd)];
  const html = hasForeignObject(markup) ? [foreignObject] : [];
  const photos = hasTurnedPhoto(markup) ? [turnedPhoto] : [];
  const names = [
    ...namesIn(features, markup),
    ...namesIn(contentFeatures, content),
    ...namesIn(rootFeatures, root),
    ...(hasNestedRules(markup) ? ['nested rules of a style sheet'] : []),
    ...(hasImageWithoutSize(markup) ? ['<image> without a size'] : []),
  ];
  const said = [...new Set(names)].map(
    (name) =>
      `its SVG has ${name}, which is drawn otherwise than in a browser, or not at all; convert it to plain shapes, colours and attributes`,
  );
  return [...html, ...photos, ...said].slice(0, namesMax);
}

export const foreignObject =
  'its SVG has a <foreignObject>, which holds HTML and is not drawn; export angular gradients and background blur as images';

const turnedPhoto =
  'its SVG has a photograph that EXIF turns, and it is drawn as it is stored; turn it in an image program, and embed it again';

/** An orientation other than upright in the directory of EXIF, in both orders of bytes (Exif 2.32, 4.6.4). */
const orientation =
  /\u0001\u0012\0\u0003\0\0\0\u0001\0[\u0002-\u0008]|\u0012\u0001\u0003\0\u0001\0\0\0[\u0002-\u0008]\0/; // oxlint-disable-line no-control-regex -- bytes

/** Whether a JPEG has such an orientation near its beginning, where cameras write it. */
function hasTurnedPhoto(markup: string): boolean {
  const heads = [...markup.matchAll(/data:image\/jpe?g;base64,([\w+/]{0,6000})/g)];
  return heads.some(([, base64 = '']) =>
    orientation.test(Buffer.from(base64, 'base64').toString('latin1')),
  );
}

function namesIn(of: typeof features, text: string): string[] {
  return of.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
}

/** Whether a rule of a style sheet stands inside another one. Blocks of at-rules hold rules. Linear time. */
function hasNestedRules(markup: string): boolean {
  if (!markup.includes('<style')) return false;
  /** For each open block, whether it is one of an at-rule. */
  const open: boolean[] = [];
  for (const [, before = '', brace] of markup.matchAll(/([^{};]*)([{};])/g)) {
    if (brace === '}') open.pop();
    else if (brace === '{') {
      if (open.at(-1) === false && before.trim() !== '') return true;
      open.push(before.includes('@'));
    }
  }
  return false;
}

/** Linear time. */
function hasImageWithoutSize(markup: string): boolean {
  for (let at = markup.indexOf('<image'); at !== -1; at = markup.indexOf('<image', at)) {
    const end = markup.indexOf('>', at);
    if (end === -1) return false;
    const tag = markup.slice(at, end);
    at = end;
    if (!/\swidth\s*=/.test(tag) || !/\sheight\s*=/.test(tag)) return true;
  }
  return false;
}
