/** What counts as an SVG, by the first element and nothing else. */
import t from 'tap';
import { guessSvg } from '../../src/images/sniff/svg.ts';
import { readSvgDocument, sizeSvg } from '../../src/images/svg/document.ts';

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

t.test('the first element decides', async (t) => {
  const comment = `<!-- ${'x'.repeat(30_000)} -->`;
  const cases: [text: string | Buffer, guess: string][] = [
    ['<svg>', 'yes'],
    ['<svg/>', 'yes'],
    ['\ufeff \n<svg xmlns="x">', 'yes'],
    ['<s:svg xmlns:s="x">', 'yes'],
    ['<?xml version="1.0"?><!-- <html> --><svg >', 'yes'],
    ['<!DOCTYPE svg><svg >', 'yes'],
    ['<!DOCTYPE svg PUBLIC "a" "b"><svg >', 'yes'],
    ['<!doctype SVG [<!ENTITY a "b>">\n]><svg >', 'yes'],
    [`${comment}<svg >`, 'yes'],
    [utf16('<svg >'), 'yes'],
    [utf16('<svg >').swap16(), 'yes'],
    [utf16('<svg >').subarray(2), 'yes'],
    ['', 'no'],
    ['   ', 'no'],
    ['svg', 'no'],
    ['<svgx>', 'no'],
    ['<html><svg>', 'no'],
    ['<!DOCTYPE html><svg>', 'no'],
    ['<?xml version="1.0"?><rss>', 'no'],
    ['text <svg>', 'no'],
    ['<!DOCTYPE svg>text', 'no'],
    ['<?xml version="1.0"', 'unsure'],
    ['<?xml version="1.0"?>', 'unsure'],
    [comment.slice(0, 500), 'unsure'],
    ['<!DOCTYPE svg [<!ENTITY', 'unsure'],
    ['<sv', 'unsure'],
    ['<svg', 'unsure'],
    [`<!-- ${'x'.repeat(70_000)} --><svg>`, 'unsure'],
  ];
  for (const [text, guess] of cases)
    t.equal(guessSvg(Buffer.from(text as string)), guess, text.toString().slice(0, 60));
});

t.test('a long file gets a guess in one pass', async (t) => {
  // A search that goes back would take longer than the test may.
  for (const part of ['<!-- -->', '<??>', '<!DOCTYPE svg[]>', '<!doctype svg>', ' '])
    t.ok(['yes', 'no', 'unsure'].includes(guessSvg(Buffer.from(part.repeat(1_000_000)))), part);
});

const xmlns = 'xmlns="http://www.w3.org/2000/svg"';
const svg = `<svg ${xmlns} width="24" height="12"><rect width="5" height="5"/></svg>`;

t.test('everything before the root element is cut off, and only what is drawn is checked', (t) => {
  const prologues = [
    '',
    '\ufeff\n',
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    '<?xml-stylesheet href="file:///etc/passwd"?>',
    '<!-- <svg><image href="file:///etc/passwd"/></svg> -->',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
  ];
  for (const prologue of prologues) t.equal(readSvgDocument(Buffer.from(prologue + svg)), svg);
  t.end();
});

t.test('text is read in the encoding that it has', async (t) => {
  const umlaut = svg.replace('<rect', '<title>ü</title><rect');
  const files = [
    Buffer.from(umlaut),
    Buffer.from(`\ufeff${umlaut}`, 'utf16le'),
    Buffer.from(umlaut, 'utf16le'),
    Buffer.from(`\ufeff${umlaut}`, 'utf16le').swap16(),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${umlaut}`, 'latin1'),
    Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${umlaut}`),
  ];
  for (const file of files) t.equal(readSvgDocument(file), umlaut);
});

t.test('instructions that nothing obeys stay, as Illustrator writes them', async (t) => {
  const file = svg.replace('<rect', '<metadata><?xpacket end="w"?></metadata><rect');
  t.equal(readSvgDocument(Buffer.from(file)), file);
});

t.test('what is dangerous or cannot be read is refused with its reason', async (t) => {
  const within = (content: string): string => `<svg ${xmlns} width="9" height="9">${content}</svg>`;
  const cases: [file: string | Buffer, message: RegExp][] = [
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`, /^is an SVG with entities of its own/],
    [`<!DOCTYPE svg [<!ENTITY % a SYSTEM "http://a/">%a;]>${svg}`, /entities/],
    [within('<!DOCTYPE svg>'), /doctype declaration, at line 1, column 70$/],
    [within('<image href="http://127.0.0.1/a.png"/>'), /^is an SVG that loads "http:/],
    [within('<image xlink:href="file:///etc/passwd"/>'), /unbound namespace prefix: "xlink"/],
    [within('<use href="other.svg#a"/>'), /loads "other.svg#a" from outside, which is never done$/],
    [within('<?xml-stylesheet href="data:text/css,rect{}"?>'), /xml-stylesheet.*instruction$/],
    [`${svg}<?xml-stylesheet href="data:text/css,rect{}"?>`, /xml-stylesheet/],
    [
      within('<g>'),
      /^is an SVG that is no well-formed XML: unexpected close tag, at line 1, column/,
    ],
    ['<svg xmlns="x">', /^is an SVG that/],
    ['<!-- only a comment -->', /^is no SVG/],
    [Buffer.from(svg.replace('<rect', '<title>ü</title><rect'), 'latin1'), /save it as UTF-8$/],
    [`<?xml version="1.0" encoding="UTF-7"?>${svg}`, /save it as UTF-8$/],
    [`<?xml version="1.0" encoding="nonsense"?>${svg}`, /save it as UTF-8$/],
  ];
  for (const [file, message] of cases)
    t.throws(() => readSvgDocument(Buffer.from(file as string)), { name: 'SvgError', message });
});

t.test('a root is given the size of its drawing, in its own proportions', async (t) => {
  const intrinsic = { width: 25, height: 12 };
  const cases: [root: string, width: number, height: number, scale: number][] = [
    ['<svg width="25" height="12"/>', 2048, 983, 81.92],
    ['<svg width="24.5" height="12.25px">', 2048, 1024, 2048 / 24.5],
    ['<svg viewBox="0 0 50 24.5">', 2048, 1004, 81.92],
    ['<svg width="50%" height="50%" viewBox="0 0 10 10">', 2048, 983, 81.92],
    ['<svg width="3000" height="10" viewBox="0 0 3000 10">', 3000, 10, 1],
    ['<svg width="30000" height="1" >', 4096, 1, 4096 / 30_000],
    ['<svg width="10" height="12" viewBox="0 0 nonsense">', 1707, 2048, 2048 / 12],
  ];
  for (const [root, widthPx, heightPx, scale] of cases) {
    const sized = sizeSvg(`${root}rest`, intrinsic, 1);
    t.match(sized, { widthPx, heightPx, scale }, root);
    t.ok(sized.markup.startsWith(`<svg width="${widthPx}" height="${heightPx}"`), sized.markup);
    t.equal(sized.markup.match(/\swidth=/g)?.length, 1);
    t.match(sized.markup, /\sviewBox="[^"]*"[^<]*\/?>rest$/);
  }
  t.match(sizeSvg(cases[0]?.[0] ?? '', intrinsic, 0.5), { widthPx: 1024, scale: 40.96 });
  t.equal(
    sizeSvg('<s:svg a=">" stroke-width="3" width=\'12\' viewBox="0 0 2 2">', intrinsic, 1).markup,
    '<s:svg width="2048" height="2048" a=">" stroke-width="3"  viewBox="0 0 2 2">',
  );
});
