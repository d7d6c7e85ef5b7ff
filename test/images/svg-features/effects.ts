/** SVG features: clips, masks, blending and filters, each as the content of a drawing of 96 × 64. */
import type { SvgFeature } from './parts.ts';
import { box, red } from './parts.ts';

const filter = (primitives: string, attributes = ''): string =>
  `<filter id="a" ${attributes}>${primitives}</filter>${box(`${red} filter="url(#a)"`)}`;
const backdrop = '<rect width="56" height="64" fill="#2e7d32"/>';

export const effectFeatures: readonly SvgFeature[] = [
  [
    'clips and masks',
    '`clipPath`',
    `<clipPath id="a"><circle cx="48" cy="32" r="18"/></clipPath>${box(`${red} clip-path="url(#a)"`)}`,
  ],
  [
    'clips and masks',
    '`clipPathUnits`',
    `<clipPath id="a" clipPathUnits="objectBoundingBox"><circle cx="0.5" cy="0.5" r="0.4"/></clipPath>${box(`${red} clip-path="url(#a)"`)}`,
  ],
  [
    'clips and masks',
    '`clip-rule`',
    `<clipPath id="a"><path clip-rule="evenodd" d="M0 0H96V64H0zM30 20H66V44H30z"/></clipPath>${box(`${red} clip-path="url(#a)"`)}`,
  ],
  [
    'clips and masks',
    '`mask`',
    `<mask id="a"><circle cx="48" cy="32" r="18" fill="#fff"/></mask>${box(`${red} mask="url(#a)"`)}`,
  ],
  [
    'clips and masks',
    '`mask-type: alpha`',
    `<mask id="a" style="mask-type:alpha"><circle cx="48" cy="32" r="18"/></mask>${box(`${red} mask="url(#a)"`)}`,
  ],
  [
    'clips and masks',
    '`maskUnits`, `maskContentUnits`',
    `<mask id="a" maskContentUnits="objectBoundingBox"><rect width="0.5" height="1" fill="#fff"/></mask>${box(`${red} mask="url(#a)"`)}`,
  ],
  [
    'clips and masks',
    '`mask-image: linear-gradient()`',
    box(`${red} style="mask-image:linear-gradient(90deg,#000,transparent)"`),
  ],
  ['blending', '`mix-blend-mode`', `${backdrop}${box(`${red} style="mix-blend-mode:multiply"`)}`],
  [
    'blending',
    '`mix-blend-mode: plus-lighter`',
    `${backdrop}${box(`${red} style="mix-blend-mode:plus-lighter"`)}`,
  ],
  [
    'blending',
    '`isolation`',
    `${backdrop}<g style="isolation:isolate">${box(`${red} style="mix-blend-mode:multiply"`)}</g>`,
  ],
  [
    'blending',
    '`backdrop-filter`',
    `${backdrop}<foreignObject x="40" y="10" width="40" height="40"><div xmlns="http://www.w3.org/1999/xhtml" style="backdrop-filter:invert(1);height:40px"></div></foreignObject>`,
  ],
  ['blending', '`enable-background`', `<g style="enable-background:new">${box(red)}</g>`],
  ['filters', '`feGaussianBlur`', filter('<feGaussianBlur stdDeviation="4"/>')],
  [
    'filters',
    'soft shadow as Figma exports it',
    `<g filter="url(#a)">${box('fill="#fff"')}</g><filter id="a" x="0" y="0" width="96" height="64" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="BackgroundImageFix"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/><feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feComposite in2="hardAlpha" operator="out"/><feColorMatrix type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.5 0"/><feBlend mode="normal" in2="BackgroundImageFix" result="e"/><feBlend mode="normal" in="SourceGraphic" in2="e"/></filter>`,
  ],
  [
    'filters',
    '`feDropShadow`',
    filter('<feDropShadow dx="6" dy="6" stdDeviation="2" flood-opacity="0.7"/>'),
  ],
  [
    'filters',
    '`feOffset`, `feMerge`',
    filter(
      '<feOffset dx="10" dy="8" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge>',
    ),
  ],
  ['filters', '`feColorMatrix`', filter('<feColorMatrix type="hueRotate" values="120"/>')],
  [
    'filters',
    '`feComponentTransfer`',
    filter('<feComponentTransfer><feFuncR type="table" tableValues="1 0"/></feComponentTransfer>'),
  ],
  [
    'filters',
    '`feFlood`, `feComposite`',
    filter(
      '<feFlood flood-color="#2e7d32" result="b"/><feComposite in="b" in2="SourceAlpha" operator="in"/>',
    ),
  ],
  [
    'filters',
    '`feBlend`',
    filter(
      '<feFlood flood-color="#2e7d32" result="b"/><feBlend in="SourceGraphic" in2="b" mode="screen"/>',
    ),
  ],
  ['filters', '`feMorphology`', filter('<feMorphology operator="erode" radius="6"/>')],
  [
    'filters',
    '`feConvolveMatrix`',
    filter('<feConvolveMatrix order="3" kernelMatrix="1 1 1 1 1 1 1 1 1"/>'),
  ],
  [
    'filters',
    '`feTile`',
    filter(
      '<feFlood x="16" y="12" width="8" height="8" flood-color="#12355b" result="b"/><feOffset in="b" x="16" y="12" width="16" height="16" result="c"/><feTile in="c"/>',
      'filterUnits="userSpaceOnUse" x="0" y="0" width="96" height="64"',
    ),
  ],
  [
    'filters',
    '`feTurbulence`',
    filter('<feTurbulence baseFrequency="0.05" numOctaves="2" seed="3"/>'),
  ],
  [
    'filters',
    '`feDisplacementMap`',
    filter(
      '<feFlood flood-color="#f00" result="b"/><feDisplacementMap in="SourceGraphic" in2="b" scale="20" xChannelSelector="R" yChannelSelector="G"/>',
    ),
  ],
  [
    'filters',
    '`feDiffuseLighting`',
    filter(
      '<feDiffuseLighting lighting-color="#fff"><feDistantLight azimuth="45" elevation="40"/></feDiffuseLighting>',
    ),
  ],
  [
    'filters',
    '`feSpecularLighting`',
    filter(
      '<feSpecularLighting surfaceScale="4" specularExponent="4" lighting-color="#f80"><fePointLight x="48" y="10" z="20"/></feSpecularLighting>',
    ),
  ],
  [
    'filters',
    '`feImage` of an element',
    `<circle id="b" cx="20" cy="20" r="12" fill="#12355b"/>${filter('<feImage href="#b"/>')}`,
  ],
  [
    'filters',
    '`BackgroundImage`',
    filter(
      '<feGaussianBlur in="BackgroundImage" stdDeviation="2" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge>',
    ),
  ],
  [
    'filters',
    '`color-interpolation-filters`',
    filter('<feGaussianBlur stdDeviation="6"/>', 'color-interpolation-filters="sRGB"'),
  ],
  ['filters', '`filter: blur()`', box(`${red} style="filter:blur(4px)"`)],
  [
    'filters',
    '`filter: drop-shadow()`',
    box(`${red} style="filter:drop-shadow(6px 6px 2px #12355b)"`),
  ],
  [
    'filters',
    '`filter: grayscale()` and others',
    box(`${red} style="filter:grayscale(1) brightness(1.4) contrast(0.8)"`),
  ],
];
