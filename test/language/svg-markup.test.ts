import { svgProblem } from '#language/check/svg-markup.ts';
import * as fc from 'fast-check';
import t from 'tap';
import { layerProblems } from '../fixtures/template-documents.ts';

const svg = (inside: string, attributes = 'viewBox="0 0 10 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

/** The beginning of a PNG file, as far as its size. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** The beginning of a JPEG file with a comment before its frame. */
function jpeg(width: number, height: number): string {
  const bytes = Buffer.from('ffd8ffe000044a46fffe0003ffffc2000b08000000000101110000', 'hex');
  bytes.writeUInt16BE(height, 18);
  bytes.writeUInt16BE(width, 20);
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
}

t.test('markup as drawing programs write it is taken', async (t) => {
  const fine = [
    svg(''),
    svg('<rect width="10" height="10"/>', 'width="10" height="10"'),
    svg('<rect/>', "height='10mm' width='10mm'"),
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Generator: a > b < c -->\n${svg('<g/>')}\n`,
    svg('<path d="M0 0" data-note="a > b"/><title>1 &lt; 2</title>'),
    svg('<style><![CDATA[.a > .b { fill: url(#g) }]]></style><linearGradient id="g"/>'),
    svg('<a href="https://example.com"><rect/></a>'),
    svg(`<image href="${png(9, 5)}"/>`),
    svg('<use xlink:href="#a"/><rect id="a" fill="url(#g)" clip-path="url(\'#c\')"/>'),
    svg('<text>{{name}}</text><rect fill="{{color}}"/>'),
    svg(`<image xlink:href="${png(9, 5).replace('VBOR', 'VBOR&#10;')}"/>`),
    svg(`<style>@font-face { src: url("data:font/woff2;base64,d09GMgABAAAA") }</style>`),
    svg('<g style="font-family:&quot;Inter&quot;;fill:url(&quot;#g&quot;)"/>'),
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><svg:rect/></svg:svg>',
    svg(`<linearGradient id="g"/>${'<path fill="url(#g)"/>'.repeat(2000)}`),
    svg(`<filter id="f">${'<feOffset/>'.repeat(7)}</filter>${'<g filter="url(#f)"/>'.repeat(4)}`),
    svg('<path fill-opacity=".5"/>'.repeat(2100)),
  ];
  for (const markup of fine) t.equal(svgProblem(markup), undefined, markup.slice(0, 100));
});

t.test('what loads from outside is refused with its address', async (t) => {
  const inside: [markup: string, address: string][] = [
    ['<image href="file:///etc/passwd"/>', 'file:///etc/passwd'],
    ['<image xlink:href="http://169.254.169.254/"/>', 'http://169.254.169.254/'],
    ["<image href='photo.png'/>", 'photo.png'],
    ['<feImage href=" //example.com/a.png"/>', '//example.com/a.png'],
    ['<use href="other.svg#icon"/>', 'other.svg#icon'],
    ['<style>@import "https://example.com/a.css";</style>', '"https://example.com/a.css"'],
    ['<style>@font-face { src: url(https://a.example/b) }</style>', 'https://a.example/b'],
    ['<rect style="fill: url( \'a.svg#g\' )"/>', 'a.svg#g'],
    ['<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="#b"/>', '<xi:include>'],
  ];
  const refused = 'from outside, which is never done; use an image layer';
  for (const [markup, address] of inside)
    t.equal(svgProblem(svg(markup)), `loads ${JSON.stringify(address)} ${refused}`);
});

const inner = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const embeds = /^embeds "data:.*", expected a PNG or JPEG image in base64/i;

t.test('another SVG within the markup is refused, whatever it is called', async (t) => {
  const addresses = [
    `data:image/svg+xml;base64,${base64(inner)}`,
    `data:image/svg+xml,${encodeURIComponent(inner)}`,
    `data:image/svg+xml;charset=utf-8;base64,${base64(`\uFEFF${inner}`)}`,
    `DATA:image/png;base64,${base64(inner)}`,
    `data:;base64,${base64(inner)}`,
    `data:,${encodeURIComponent(inner)}`,
    `data:text/xml;base64,${base64(inner)}#a`,
    `data:font/woff2;base64,${base64(inner)}`,
    'data:image/svg+xml;base64,H4sIAAAAAAAAAw==',
    'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    'data:image/png;base64,iVBORw0KGgo=',
  ];
  for (const address of addresses) {
    t.match(svgProblem(svg(`<image href="${address}"/>`)), embeds, address);
    t.match(svgProblem(svg(`<image xlink:href=" ${address}"/>`)), embeds);
    t.match(svgProblem(svg(`<use href='${address}#a'/>`)), embeds);
    t.match(svgProblem(svg(`<g mask="url('${address}')"/>`)), embeds);
    t.match(svgProblem(svg(`<style>a { fill: url(${address}#a) }</style>`)), embeds);
  }
});

t.test('neither escapes nor prefixes hide an address', async (t) => {
  const address = `data:image/svg+xml;base64,${base64(inner)}`;
  const hidden = [
    `<image x:href="${address}" xmlns:x="http://www.w3.org/1999/xlink"/>`,
    `<image href="&#100;ata&#x3A;${address.slice(5)}"/>`,
    `<image href="&#10;${address}"/>`,
    `<g mask="&#x75;rl(${address}#a)"/>`,
    `<g mask="\\75 rl(${address}#a)"/>`,
    `<g style="mask:URL(${address}#a)"/>`,
    `<style>g { mask: u\\72l(${address}#a) }</style>`,
  ];
  for (const markup of hidden) t.match(svgProblem(svg(markup)), embeds, markup);
});

t.test('an embedded image has a size that is known and not too large', async (t) => {
  t.equal(svgProblem(svg(`<image href="${png(2000, 2000)}"/>`)), undefined);
  t.equal(svgProblem(svg(`<image href="${jpeg(2000, 2000)}"/>`)), undefined);
  const large = 'embeds an image of 256000000 pixels, the limit is 4000000; use an image layer';
  for (const image of [png(16_000, 16_000), jpeg(16_000, 16_000)])
    t.equal(svgProblem(svg(`<feImage href="${image}"/>`)), large);
  t.match(svgProblem(svg('<image href="data:image/jpeg;base64,/9j/4AAQ"/>')), embeds);
});

t.test('a binding in an address is open until it is bound', async (t) => {
  for (const address of ['{{photo}}', 'data:image/png;base64,{{photo}}']) {
    const markup = svg(`<image href="${address}"/>`);
    t.equal(svgProblem(markup, 'open'), undefined);
    t.type(svgProblem(markup), 'string', 'what still has one is a value of a link');
  }
});

t.test('a file that is not a drawing is refused with the reason and the position', async (t) => {
  const wrong: [markup: string, problem: string | RegExp][] = [
    ['', 'is no SVG: it has no element'],
    ['hello', 'is no SVG: it has no element'],
    ['<html></html>', 'is no SVG: its first element is not <svg>'],
    ['<svg></svg>', 'needs a viewBox, or a width and a height, on its <svg>'],
    [svg('<g>', 'width="5" height="5"'), /XML: unexpected close tag, at line 1, column \d+$/],
    [svg('<!-- '), /XML: unclosed tag: svg, at line 1/],
    [svg('<![CDATA[ ]]'), /XML: unclosed tag: svg, at line 1/],
    [`${svg('')}</svg>`, /XML: unmatched closing tag: svg, at line 1/],
    ['<svg viewBox="0 0 1 1"><g></svg>', /XML: unexpected close tag, at line 1, column 32$/],
    ['<svg viewBox="0 0 1 1"><g></g>', /XML: unclosed tag: svg, at line 1, column 30$/],
    [svg('<rect'), /XML: disallowed character in tag name, at line 1/],
    ['<svg', /XML: its first tag does not end, at line 1, column 4$/],
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', 'has a document type; remove it'],
    [svg('<g>'.repeat(129) + '</g>'.repeat(129)), 'has elements nested deeper than 128'],
    [svg('<g>'.repeat(10_000)), 'has elements nested deeper than 128'],
    [svg('&nbsp;'), /undefined entity \(write &#160; in place of &nbsp;\), at line 1, column \d+$/],
    [svg('<text>\nFish & chips</text>'), /XML: a bare &, written &amp;, at line 2, column \d+$/],
    [svg('<rect width=10 height="10"/>'), /unquoted attribute value, at line 1/],
    [svg('<rect width="1" width="2"/>'), /duplicate attribute: width/],
    ['<svg viewBox="0 0 9 9"><use xlink:href="#a"/></svg>', /unbound namespace prefix: "xlink"/],
    [svg('<text>a\u0001b</text>'), /disallowed character/],
    [svg('<text>a\uFFFEb</text>'), /disallowed character/],
    [svg('<text>a&#1;b</text>'), /malformed character entity/],
    [svg('') + svg(''), /only one root/],
    [`${svg('')} after`, /text data outside of root node/],
    [svg('<!-- a -- b -->'), /malformed comment/],
    [svg('<text>]]></text>'), /is disallowed in char data/],
    ['<svg xmlns="https://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', /^is no SVG: its xmlns is /],
    ['<svg viewBox="0 0 0 10"/>', /^has a viewBox that leaves nothing to draw/],
    ['<svg viewBox="0,0,10,0.0"/>', /^has a viewBox that leaves nothing to draw/],
    ['<svg width="0" height="10"/>', /^has a width that leaves nothing to draw/],
    ['<svg width="5" height="0px" viewBox="0 0 9 9"/>', /^has a height that leaves/],
    ['<svg viewBox="0 0 1e9 1e9"/>', /^has a viewBox that leaves nothing to draw/],
  ];
  for (const [markup, problem] of wrong) {
    if (typeof problem === 'string') t.equal(svgProblem(markup), problem);
    else t.match(svgProblem(markup), problem, markup.slice(0, 120));
    t.match(layerProblems('svg', { svg: markup })[0], /^layers\[0\]\.svg /, 'when it is saved');
  }
});

t.test('no text makes it throw', async () => {
  const tags = '<svg viewBox="0 0 1 1">~</svg>~<g~>~<~"~<!--~-->~<![CDATA[~]]>~<?x~?>~/>~x~{{~}}';
  const addresses = `'~ href="#a"~ id="a"~url(#a)~<style>~</style>`;
  const parts = fc.constantFrom(...`${tags}~${addresses}`.split('~'));
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (list) => {
      const problem = svgProblem(list.join(''));
      return problem === undefined || problem.length < 200;
    }),
    { numRuns: 1000 },
  );
});

t.test('a megabyte of markup takes time in proportion to its length', async (t) => {
  const root = '<svg viewBox="0 0 1 1">';
  for (const [start, part, end = ''] of [
    ['<', 'a'],
    [`${root}<`, 'a'],
    ...['<!--', '<![CDATA[', '<?', '<g ', '&'].map((each) => [root, each] as const),
    [`${root}<g `, '"'],
    [`${root}<g a="`, 'url(', '"/></svg>'],
    [`${root}<g a="url(`, ' ', '"/></svg>'],
    [`${root}<g a="`, '\\75 ', '"/></svg>'],
    [`${root}<style>`, '@import '],
    [`${root}<style>`, 'a<!---->', '</style></svg>'],
    [root, '<style>url(#a)</style>', '</svg>'],
    [`${root}<image href="data:image/png;base64,`, ' ', '!"/></svg>'],
    [`${root}<image href="data:image/png`, ';a=b', '"/></svg>'],
    [`${root}<image href="data:`, 'a', '"/></svg>'],
    [`${root}<g style="a:url( data:image/png;base64,`, ' ', '!)"/></svg>'],
    [`${root}<g style="a:url( data:image/png`, ';a=b', ')"/></svg>'],
    ...['&#10;', ' href', '\\75', 'url( '].flatMap((each) => [
      [`${root}<image href="`, each, '"/></svg>'] as const,
      [`${root}<g style="a:url( `, each, ')"/></svg>'] as const,
    ]),
    [`${root}<text>`, ']]', '</text></svg>'],
    ['<!DOCTYPE svg [', '<!ENTITY a "b">', ']><svg/>'],
  ] as const) {
    const started = process.cpuUsage();
    svgProblem(start + part.repeat(2 ** 20 / part.length) + end);
    t.ok(process.cpuUsage(started).user < 2_000_000, start + part);
  }
});

t.test('a comment inside of a style sheet hides nothing', async (t) => {
  const [start, end] = ['<style>@imp', 'ort "a.css";</style>'];
  for (const between of ['', '<!-- -->', '<![CDATA[]]>', '<?a?>', '<g/>']) {
    t.match(svgProblem(svg(start + between + end)), /^loads "\\"a.css\\"" from outside/, between);
  }
  t.match(svgProblem(svg('<style><g>@import "a.css"</g></style>')), /^loads/);
  t.match(svgProblem(svg('<style><style/>@import "a.css"</style>')), /^loads/);
});
