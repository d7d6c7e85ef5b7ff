import { svgProblem } from '#shared/svg-markup.ts';
import * as fc from 'fast-check';
import t from 'tap';

const svg = (inside: string, attributes = 'viewBox="0 0 10 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;

t.test('markup as drawing programs write it is taken', (t) => {
  const fine = [
    svg(''),
    svg('<rect width="10" height="10"/>', 'width="10" height="10"'),
    svg('<rect/>', "height='10mm' width='10mm'"),
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Generator: a > b < c -->\n${svg('<g/>')}\n`,
    svg('<path d="M0 0" data-note="a > b"/><title>1 &lt; 2</title>'),
    svg('<style><![CDATA[.a > .b { fill: url(#g) }]]></style><linearGradient id="g"/>'),
    svg('<a href="https://example.com"><rect/></a>'),
    svg('<image href="data:image/png;base64,AAAA"/>'),
    svg('<use xlink:href="#a"/><rect id="a" fill="url(#g)" clip-path="url(\'#c\')"/>'),
    svg('<text>{{name}}</text><rect fill="{{color}}"/>'),
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><svg:rect/></svg:svg>',
    svg(
      `<linearGradient id="g">${'<stop/>'.repeat(16)}</linearGradient>${'<path fill="url(#g)"/>'.repeat(2000)}`,
    ),
    svg(`<filter id="f">${'<feOffset/>'.repeat(7)}</filter>${'<g filter="url(#f)"/>'.repeat(4)}`),
    svg('<path fill-opacity=".5"/>'.repeat(2100)),
  ];
  for (const markup of fine) t.equal(svgProblem(markup), undefined, markup.slice(0, 100));
  t.end();
});

t.test('what loads from outside is refused with its address', (t) => {
  const inside: [markup: string, address: string][] = [
    ['<image href="file:///etc/passwd"/>', 'file:///etc/passwd'],
    ['<image xlink:href="http://169.254.169.254/"/>', 'http://169.254.169.254/'],
    ["<image href='photo.png'/>", 'photo.png'],
    ['<feImage href=" //example.com/a.png"/>', '//example.com/a.png'],
    ['<use href="other.svg#icon"/>', 'other.svg#icon'],
    ['<style>@import "https://example.com/a.css";</style>', '"https://example.com/a.css"'],
    [
      '<style>@font-face { src: url(https://example.com/a.woff) }</style>',
      'https://example.com/a.woff',
    ],
    ['<rect style="fill: url( \'a.svg#g\' )"/>', 'a.svg#g'],
    ['<xi:include xlink:href="#a" href="#b"/>', '<xi:include xlink:href="#a" href="#b"/'],
  ];
  for (const [markup, address] of inside) {
    t.equal(
      svgProblem(svg(markup)),
      `loads ${JSON.stringify(address.slice(0, 60))} from outside, which is never done; use an image layer`,
    );
  }
  t.end();
});

t.test('what is no drawing is refused with the reason', (t) => {
  const wrong: [markup: string, problem: string | RegExp][] = [
    ['', 'is no SVG: it has no element'],
    ['hello', 'is no SVG: it has no element'],
    ['<html></html>', 'is no SVG: its first element is not <svg>'],
    ['<svg></svg>', 'needs a viewBox, or a width and a height, on its <svg>'],
    [svg('<g>', 'width="5" height="5"'), 'has a </svg> too many'],
    [svg('<!-- '), 'has no --> after <!--'],
    [svg('<![CDATA[ ]]'), 'has no ]]> after <![CDATA['],
    [`${svg('')}</svg>`, 'has a </svg> too many'],
    ['<svg viewBox="0 0 1 1"><g></svg>', 'has a </svg> too many'],
    ['<svg viewBox="0 0 1 1"><g></g>', 'has no </svg>'],
    [svg('<rect'), /^has broken markup near "<rect/],
    [
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1">&a;</svg>',
      'has a document type; remove it',
    ],
    [svg('<g>'.repeat(129) + '</g>'.repeat(129)), 'has elements nested deeper than 128'],
    [svg('<g>'.repeat(10_000)), 'has elements nested deeper than 128'],
  ];
  for (const [markup, problem] of wrong) {
    if (typeof problem === 'string') t.equal(svgProblem(markup), problem);
    else t.match(svgProblem(markup), problem);
  }
  t.end();
});

t.test('what multiplies is refused', (t) => {
  const tenfold = (count: number, element: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => element(index)).join('');
  const bombs = {
    use:
      tenfold(10, (i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`) +
      '<rect id="a0"/>',
    masks: tenfold(
      14,
      (i) => `<mask id="m${i + 1}">${`<rect mask="url(#m${i})"/>`.repeat(2)}</mask>`,
    ),
    patterns:
      tenfold(
        9,
        (i) => `<pattern id="p${i + 1}">${`<rect fill="url(#p${i})"/>`.repeat(9)}</pattern>`,
      ) + '<pattern id="p0"><rect/></pattern>',
    filters: `<filter id="f">${'<feGaussianBlur/>'.repeat(100)}</filter>`,
    used: `<filter id="f">${'<feTurbulence/>'.repeat(10)}</filter>${'<rect filter="url(#f)"/>'.repeat(20)}`,
    styled: `<style>.a { mask: url(#m) }</style><mask id="m"><rect/></mask>${'<rect class="a"/>'.repeat(1000)}`,
    layers: '<g opacity=".5"><rect/></g>'.repeat(2100),
  };
  for (const [name, inside] of Object.entries(bombs)) {
    const started = performance.now();
    t.equal(svgProblem(svg(inside)), 'is too complex: it repeats or filters too much', name);
    t.ok(performance.now() - started < 200, 'and found out soon');
  }
  const circle = svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>');
  t.equal(svgProblem(circle), undefined, 'a circle ends');
  t.end();
});

t.test('no text makes it throw', (t) => {
  const parts = fc.constantFrom(
    '<svg viewBox="0 0 1 1">',
    '</svg>',
    '<g',
    '>',
    '<',
    '"',
    "'",
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?x',
    '?>',
    ' href="#a"',
    ' id="a"',
    'url(#a)',
    '/>',
    'x',
    '<style>',
    '</style>',
    '{{',
    '}}',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (list) => {
      const problem = svgProblem(list.join(''));
      return problem === undefined || problem.length < 200;
    }),
    { numRuns: 1000 },
  );
  const started = performance.now();
  for (const text of [
    '<!--'.repeat(16_000),
    '<![CDATA['.repeat(7000),
    '<?'.repeat(30_000),
    '<g '.repeat(20_000),
    `<g ${'"'.repeat(60_000)}`,
    'url('.repeat(16_000),
    ' href="'.repeat(9000),
    '<a '.repeat(20_000),
  ])
    svgProblem(text);
  t.ok(performance.now() - started < 1500);
  t.end();
});
