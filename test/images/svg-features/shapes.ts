/** SVG features: shapes, structure and transforms, each as the content of a drawing of 96 × 64. */
import type { SvgFeature } from './parts.ts';
import { box, line, red } from './parts.ts';

export const shapeFeatures: readonly SvgFeature[] = [
  ['shapes', '`rect`', box(red)],
  ['shapes', '`rx`, `ry`', box(`${red} rx="20" ry="10"`)],
  ['shapes', '`circle`', `<circle cx="48" cy="32" r="24" ${red}/>`],
  ['shapes', '`ellipse`', `<ellipse cx="48" cy="32" rx="40" ry="20" ${red}/>`],
  ['shapes', '`line`', `<line x1="8" y1="8" x2="88" y2="56" ${line}/>`],
  ['shapes', '`polyline`', `<polyline points="8,56 32,8 56,56 88,8" ${line}/>`],
  ['shapes', '`polygon`', `<polygon points="48,4 88,56 8,56" ${red}/>`],
  ['shapes', '`path` with lines', `<path d="M8 8H88V32L48 56 8 32z" ${red}/>`],
  [
    'shapes',
    '`path` with curves',
    `<path d="M8 32C8 0 88 0 88 32S48 64 8 32M20 32Q40 20 50 32T80 32" ${line}/>`,
  ],
  ['shapes', '`path` with arcs', `<path d="M16 32a32 20 15 1 1 64 0A10 10 0 0 0 60 32" ${line}/>`],
  [
    'shapes',
    'lengths in `mm`, `pt`, `in`, `pc`, `cm`',
    `<rect x="2mm" y="6pt" width="0.6in" height="3pc" ${red}/><rect x="2cm" width="12" height="64" ${red}/>`,
  ],
  ['shapes', 'lengths in `%`', `<rect x="10%" y="20%" width="60%" height="50%" ${red}/>`],
  [
    'shapes',
    'lengths in `em`, `rem`, `ex`',
    `<g font-size="12"><rect x="1em" y="1em" width="4em" height="2em" ${red}/></g>`,
  ],
  [
    'shapes',
    'geometry in CSS: `x`, `width`, `r`',
    `<rect style="x:16px;y:12px;width:64px;height:40px" ${red}/>`,
  ],
  ['shapes', '`d` in CSS', `<path style="d:path('M8 8H88V56z')" ${red}/>`],
  ['shapes', '`r` in CSS', `<circle cx="48" cy="32" style="r:24px" ${red}/>`],
  [
    'shapes',
    '`calc()` in lengths',
    `<rect x="16" y="12" style="width:calc(10px + 50%);height:calc(2 * 20px)" ${red}/>`,
  ],
  ['shapes', '`clip-path: circle()`', box(`${red} style="clip-path:circle(20px)"`)],
  [
    'shapes',
    '`clip-path: polygon()`',
    box(`${red} style="clip-path:polygon(0 0,100% 0,50% 100%)"`),
  ],
  ['shapes', '`clip-path: inset()`', box(`${red} style="clip-path:inset(10px)"`)],
  [
    'structure',
    '`g`',
    `<g ${red}><circle cx="32" cy="32" r="20"/><circle cx="64" cy="32" r="20"/></g>`,
  ],
  [
    'structure',
    '`defs` and `use`',
    `<defs><circle id="a" r="20" ${red}/></defs><use href="#a" x="32" y="32"/><use href="#a" x="70" y="32"/>`,
  ],
  [
    'structure',
    '`use` with `xlink:href`',
    `<defs><circle id="a" r="20" ${red}/></defs><use xlink:href="#a" x="32" y="32"/>`,
  ],
  [
    'structure',
    '`symbol` with `viewBox`',
    `<symbol id="a" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" ${red}/></symbol><use href="#a" x="16" y="4" width="56" height="56"/>`,
  ],
  [
    'structure',
    '`symbol` with `refX`',
    `<symbol id="a" viewBox="0 0 10 10" refX="5" refY="5"><circle cx="5" cy="5" r="5" ${red}/></symbol><use href="#a" x="48" y="32" width="40" height="40"/>`,
  ],
  [
    'structure',
    'nested `svg`',
    `<svg x="16" y="12" width="40" height="40" viewBox="0 0 10 10"><circle cx="8" cy="5" r="5" ${red}/></svg>`,
  ],
  [
    'structure',
    'nested `svg` with `overflow`',
    `<svg x="16" y="12" width="40" height="40" viewBox="0 0 10 10" overflow="visible"><circle cx="8" cy="5" r="5" ${red}/></svg>`,
  ],
  [
    'structure',
    '`preserveAspectRatio`',
    `<svg x="8" y="8" width="80" height="48" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMin slice"><circle cx="5" cy="5" r="5" ${red}/></svg>`,
  ],
  [
    'structure',
    '`switch`',
    `<switch><rect width="96" height="64" ${red} systemLanguage="xx"/><circle cx="48" cy="32" r="24" fill="#12355b"/></switch>`,
  ],
  [
    'structure',
    '`switch` with `requiredExtensions`',
    `<switch><rect width="96" height="64" ${red} requiredExtensions="http://example.com/x"/><circle cx="48" cy="32" r="24" fill="#12355b"/></switch>`,
  ],
  ['structure', '`a`', `<a href="https://example.com/">${box(red)}</a>`],
  [
    'structure',
    '`foreignObject`',
    `<foreignObject x="16" y="12" width="64" height="40"><div xmlns="http://www.w3.org/1999/xhtml" style="height:40px;background:#d7263d"></div></foreignObject>`,
  ],
  ['structure', '`display: none`', `${box(red)}<circle cx="48" cy="32" r="30" display="none"/>`],
  [
    'structure',
    '`visibility`',
    `<g visibility="hidden">${box(`${red} visibility="visible"`)}<circle cx="48" cy="32" r="30"/></g>`,
  ],
  [
    'structure',
    '`title`, `desc`, `metadata`',
    `<title>a</title><desc>b</desc><metadata>c</metadata>${box(red)}`,
  ],
  ['structure', '`view`', `<view id="v" viewBox="0 0 10 10"/>${box(red)}`],
  [
    'structure',
    '`animate`',
    box(red).replace(
      '/>',
      '><animate attributeName="x" from="0" to="40" begin="1000s" dur="1s"/></rect>',
    ),
  ],
  [
    'structure',
    '`animateTransform`',
    `<g>${box(red)}<animateTransform attributeName="transform" type="rotate" begin="1000s" dur="1s" to="90"/></g>`,
  ],
  [
    'structure',
    '`set` that has begun',
    `<rect x="16" y="12" width="64" height="40" ${red}><set attributeName="fill" to="#12355b"/></rect>`,
  ],
  [
    'structure',
    '`animateMotion`',
    `<circle r="16" ${red}><animateMotion begin="0s" dur="1000s" path="M48 32h0.1"/></circle>`,
  ],
  [
    'transforms',
    '`translate`, `scale`, `rotate`',
    box(`${red} transform="translate(20 -4) rotate(20) scale(0.7)"`),
  ],
  ['transforms', '`rotate` about a point', box(`${red} transform="rotate(45 48 32)"`)],
  ['transforms', '`skewX`, `skewY`', box(`${red} transform="skewX(-20) skewY(5)"`)],
  ['transforms', '`matrix`', box(`${red} transform="matrix(0.5 0.2 -0.2 0.5 20 10)"`)],
  [
    'transforms',
    'CSS `transform`',
    box(`${red} style="transform:translate(10px,10px) scale(0.5)"`),
  ],
  [
    'transforms',
    'CSS `transform` in `turn` and `rad`',
    box(`${red} style="transform:rotate(0.05turn) rotate(0.1rad)"`),
  ],
  [
    'transforms',
    'CSS `translateX`, `scaleY`',
    box(`${red} style="transform:translateX(10px) scaleY(0.5)"`),
  ],
  [
    'transforms',
    'CSS `transform` in `%`',
    box(`${red} style="transform:translate(25%,25%) scale(0.5)"`),
  ],
  [
    'transforms',
    '`transform-origin: center`',
    `<rect x="40" y="8" width="16" height="48" ${red} style="transform-origin:center;transform:rotate(90deg)"/>`,
  ],
  [
    'transforms',
    '`transform-origin` in px',
    `<rect x="40" y="8" width="16" height="48" ${red} transform="rotate(60)" style="transform-origin:48px 32px"/>`,
  ],
  [
    'transforms',
    '`transform-origin` as attribute',
    `<rect x="40" y="8" width="16" height="48" ${red} transform="rotate(60)" transform-origin="48 32"/>`,
  ],
  [
    'transforms',
    '`transform-box: fill-box` on a shape',
    `<rect x="60" y="8" width="16" height="48" ${red} style="transform-box:fill-box;transform-origin:center;transform:rotate(90deg)"/>`,
  ],
  [
    'transforms',
    '`transform-box: fill-box` on a path',
    `<path d="M60 8h16v48h-16z" ${red} style="transform-box:fill-box;transform-origin:center;transform:rotate(90deg)"/>`,
  ],
  [
    'transforms',
    '`transform-box: fill-box` on a group',
    `<g style="transform-box:fill-box;transform-origin:center;transform:rotate(90deg)"><rect x="60" y="8" width="16" height="48" ${red}/></g>`,
  ],
  [
    'transforms',
    '`translate`, `rotate`, `scale` properties',
    box(`${red} style="translate:10px 5px;rotate:10deg;scale:0.6"`),
  ],
  [
    'transforms',
    '`offset-path`',
    `<rect x="-8" y="-8" width="32" height="16" ${red} style="offset-path:path('M48 32h30')"/>`,
  ],
  ['transforms', '`rotateY` and other 3D', box(`${red} style="transform:rotateY(60deg)"`)],
];
