/** What counts as an SVG, by the first element and nothing else. */
import * as fc from 'fast-check';
import t from 'tap';
import { guessSvg } from '../../src/images/sniff/svg.ts';

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

t.test('the first element decides', (t) => {
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
  t.end();
});

t.test('any bytes get a guess, in one pass', (t) => {
  const piece = fc.constantFrom(
    '<',
    '!',
    '--',
    '-->',
    '<?',
    '?>',
    '<!DOCTYPE svg',
    '[',
    ']',
    '>',
    'svg',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) =>
      ['yes', 'no', 'unsure'].includes(guessSvg(Buffer.from(parts.join('')))),
    ),
    { numRuns: 3000 },
  );
  // A search that goes back would take longer than the test may.
  for (const part of ['<!-- -->', '<??>', '<!DOCTYPE svg[]>', '<!doctype svg>', ' '])
    t.ok(['yes', 'no', 'unsure'].includes(guessSvg(Buffer.from(part.repeat(1_000_000)))), part);
  t.end();
});
