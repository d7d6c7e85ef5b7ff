/** SVG features: fills, strokes, gradients and patterns, each as the content of a drawing of 96 × 64. */
import type { SvgFeature } from './parts.ts';
import { box, line, red } from './parts.ts';

const gradient = (kind: string, attributes: string): string =>
  `<${kind}Gradient id="a" ${attributes}><stop offset="0.2" stop-color="#d7263d"/><stop offset="0.8" stop-color="#12355b"/></${kind}Gradient>${box('fill="url(#a)"')}`;
const pattern = (attributes: string): string =>
  `<pattern id="a" ${attributes}><rect width="8" height="8" ${red}/></pattern>${box('fill="url(#a)"')}`;
const jagged = `<path d="M12 52 L32 12 L52 52 L72 12 L84 52"`;

export const paintFeatures: readonly SvgFeature[] = [
  ['fill', '`fill` by name', box('fill="tomato"')],
  [
    'fill',
    '`#rgb`, `#rrggbbaa`',
    `${box('fill="#12355b80"')}<rect width="20" height="64" fill="#f00"/>`,
  ],
  [
    'fill',
    '`rgb()`, `rgba()`',
    `${box('fill="rgba(18,53,91,.5)"')}<rect width="20" height="64" fill="rgb(80%,10%,10%)"/>`,
  ],
  ['fill', '`rgb(r g b / a)`', box('fill="rgb(215 38 61 / 50%)"')],
  ['fill', '`hsl()`, `hsla()`', box('fill="hsla(350,70%,50%,.8)"')],
  ['fill', '`hwb()`', box('fill="hwb(200 10% 20%)"')],
  ['fill', '`currentColor`', `<g color="#d7263d">${box('fill="currentColor"')}</g>`],
  ['fill', '`oklch()`', box('fill="oklch(0.628 0.2577 29.23)"')],
  ['fill', '`oklab()`', box('style="fill:oklab(0.6 0.1 -0.15)"')],
  ['fill', '`lab()`', box('fill="lab(50% 40 -60)"')],
  ['fill', '`lch()`', box('fill="lch(50% 60 140)"')],
  ['fill', '`color(display-p3 …)`', box('fill="color(display-p3 0.2 0.6 0.3)"')],
  ['fill', '`color(srgb …)`', box('fill="color(srgb 0.2 0.6 0.3)"')],
  ['fill', '`color-mix()`', box('fill="color-mix(in srgb, #f00 40%, #00f)"')],
  ['fill', '`color-mix()` in `oklch`', box('fill="color-mix(in oklch, #f00, #00f)"')],
  ['fill', 'relative colours', box('fill="rgb(from #d7263d r g b / 50%)"')],
  [
    'fill',
    '`light-dark()`',
    box('style="color-scheme:light dark;fill:light-dark(#d7263d,#12355b)"'),
  ],
  ['fill', 'system colours', box('fill="CanvasText"')],
  ['fill', '`transparent`', `${box('fill="#12355b"')}${box('fill="transparent"')}`],
  ['fill', '`fill-opacity`, `opacity`', `<g opacity="0.6">${box(`${red} fill-opacity="0.5"`)}</g>`],
  ['fill', 'opacity in `%`', box(`${red} style="opacity:50%"`)],
  ['fill', '`fill-rule`', `<path d="M48 4L70 60 12 24H84L26 60z" ${red} fill-rule="evenodd"/>`],
  ['fill', 'a paint with a fallback', box('fill="url(#none) #2e7d32"')],
  [
    'fill',
    '`context-fill`, `context-stroke`',
    `<marker id="a" markerWidth="6" markerHeight="6" refX="3" refY="3"><rect width="6" height="6" fill="context-stroke"/></marker><path d="M16 32H76" stroke="#d7263d" stroke-width="6" marker-end="url(#a)"/>`,
  ],
  ['strokes', '`stroke`, `stroke-width`', box(line)],
  ['strokes', '`stroke-opacity`', box(`${line} stroke-opacity="0.4"`)],
  [
    'strokes',
    '`stroke-linecap`',
    `<path d="M20 32H76" ${line} stroke-linecap="round"/><path d="M20 52H76" ${line} stroke-linecap="square"/>`,
  ],
  ['strokes', '`stroke-linejoin`', `${jagged} ${line} stroke-linejoin="round"/>`],
  ['strokes', '`stroke-linejoin: arcs`', `${jagged} ${line} stroke-linejoin="arcs"/>`],
  ['strokes', '`stroke-miterlimit`', `${jagged} ${line} stroke-miterlimit="1"/>`],
  [
    'strokes',
    '`stroke-dasharray`, `stroke-dashoffset`',
    box(`${line} stroke-dasharray="16 8" stroke-dashoffset="6"`),
  ],
  [
    'strokes',
    '`pathLength` on a circle',
    `<circle cx="48" cy="32" r="22" ${line} pathLength="100" stroke-dasharray="60 40"/>`,
  ],
  [
    'strokes',
    '`pathLength` on a line',
    `<line x1="8" y1="32" x2="88" y2="32" ${line} pathLength="10" stroke-dasharray="3 1"/>`,
  ],
  ['strokes', '`pathLength` on a rect', box(`${line} pathLength="100" stroke-dasharray="30 20"`)],
  [
    'strokes',
    '`pathLength` on a path',
    `<path d="M8 32C30 0 60 64 88 32" ${line} pathLength="100" stroke-dasharray="30 20"/>`,
  ],
  [
    'strokes',
    '`vector-effect: non-scaling-stroke`',
    `<g transform="scale(4)"><path d="M2 8H22" ${line} vector-effect="non-scaling-stroke"/></g>`,
  ],
  [
    'strokes',
    '`paint-order`',
    box('fill="#ffd54f" stroke="#12355b" stroke-width="16" paint-order="stroke"'),
  ],
  [
    'strokes',
    '`marker-start`, `marker-mid`, `marker-end`',
    `<marker id="a" markerWidth="4" markerHeight="4" refX="2" refY="2" orient="auto"><path d="M0 0L4 2 0 4z" ${red}/></marker><path d="M16 48L48 16 80 48" fill="none" stroke="#12355b" stroke-width="4" marker-start="url(#a)" marker-mid="url(#a)" marker-end="url(#a)"/>`,
  ],
  [
    'strokes',
    '`orient="auto-start-reverse"`',
    `<marker id="a" markerWidth="4" markerHeight="4" refX="2" refY="2" orient="auto-start-reverse"><path d="M0 0L4 2 0 4z" ${red}/></marker><path d="M24 32H72" stroke="#12355b" stroke-width="6" marker-start="url(#a)" marker-end="url(#a)"/>`,
  ],
  ['gradients', '`linearGradient`', gradient('linear', '')],
  [
    'gradients',
    '`gradientUnits="userSpaceOnUse"`',
    gradient('linear', 'gradientUnits="userSpaceOnUse" x1="16" x2="80"'),
  ],
  ['gradients', '`gradientTransform`', gradient('linear', 'gradientTransform="rotate(45)"')],
  ['gradients', '`spreadMethod`', gradient('linear', 'x2="0.3" spreadMethod="reflect"')],
  ['gradients', '`radialGradient`', gradient('radial', '')],
  ['gradients', '`fx`, `fy`', gradient('radial', 'fx="0.3" fy="0.3"')],
  ['gradients', '`fr`', gradient('radial', 'fr="0.3"')],
  [
    'gradients',
    '`href` of a gradient',
    `<linearGradient id="b"><stop stop-color="#d7263d"/><stop offset="1" stop-color="#12355b"/></linearGradient><linearGradient id="a" href="#b" y2="1"/>${box('fill="url(#a)"')}`,
  ],
  [
    'gradients',
    '`stop-opacity`',
    `<linearGradient id="a"><stop stop-color="#d7263d"/><stop offset="1" stop-color="#d7263d" stop-opacity="0"/></linearGradient>${box('fill="url(#a)"')}`,
  ],
  [
    'gradients',
    '`stop-color` in modern colours',
    `<linearGradient id="a"><stop stop-color="oklch(0.6 0.25 29)"/><stop offset="1" stop-color="color(display-p3 0 0 0.9)"/></linearGradient>${box('fill="url(#a)"')}`,
  ],
  [
    'gradients',
    '`color-interpolation="linearRGB"`',
    gradient('linear', 'color-interpolation="linearRGB"'),
  ],
  [
    'gradients',
    '`mesh` gradients',
    `<meshgradient id="a" x="16" y="12"><meshrow><meshpatch><stop path="h60" stop-color="#f00"/></meshpatch></meshrow></meshgradient>${box('fill="url(#a) #2e7d32"')}`,
  ],
  ['gradients', '`conic-gradient()` as paint', box('style="fill:conic-gradient(red,blue)"')],
  ['patterns', '`pattern`', pattern('width="16" height="16" patternUnits="userSpaceOnUse"')],
  [
    'patterns',
    '`patternTransform`',
    pattern('width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"'),
  ],
  [
    'patterns',
    '`patternContentUnits`',
    '<pattern id="a" width="0.5" height="0.5" patternContentUnits="objectBoundingBox"><rect width="0.25" height="0.25" fill="#d7263d"/></pattern>' +
      box('fill="url(#a)"'),
  ],
  [
    'patterns',
    '`viewBox` of a pattern',
    '<pattern id="a" width="0.25" height="0.5" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="#d7263d"/></pattern>' +
      box('fill="url(#a)"'),
  ],
];
