/** Reads the XML of a workbook's part piece by piece. */
import { createRequire } from 'node:module';
import type * as Saxes from 'saxes';
import { unreadable, tooLarge } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';
import { MarkupBounds } from './markup-bounds.ts';
import type { ReadingSteps } from './markup-bounds.ts';

/**
 * Bytes of a piece. 20 bytes of a sheet may refer to a text of 64 KB, which stays in memory until the piece is read.
 */
const pieceBytes = 4096;

/** A file with the parts of a workbook. */
export interface PartFile {
  /** The steps that reading its parts has taken. */
  readonly steps: ReadingSteps;
  /** The bytes of a part, decompressed. Throws for a part with more than `bytesMax`. */
  read(name: string, bytesMax: number): AsyncGenerator<Buffer, void, void>;
}

/** Handlers for pieces of markup, called in order. Names have no namespace prefix. */
export interface PartEvents {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/**
 * Reads a part and yields the bytes read so far after each piece. The caller may stop early. Throws for a document
 * type, whose entities could expand without limit.
 */
export async function* readPart(
  file: PartFile,
  name: string,
  events: PartEvents,
  bytesMax: number = workbookLimits.partBytesMax,
): AsyncGenerator<number, void, void> {
  const bounds = new MarkupBounds(name, file.steps);
  const parser = createParser(`${name} of the ${file.steps.kind}`, events, bounds);
  const decoder = new TextDecoder('utf-8');
  let bytesRead = 0;
  for await (const chunk of file.read(name, bytesMax)) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const piece = chunk.subarray(start, start + pieceBytes);
      bytesRead += piece.length;
      bounds.read(piece.length);
      parser.write(decoder.decode(piece, { stream: true }));
      yield bytesRead;
    }
  }
  parser.close();
}

/** Reads a whole part that describes the workbook, and whose content stays in memory. */
export async function readDescription(
  file: PartFile,
  name: string,
  events: PartEvents,
): Promise<void> {
  for await (const _ of readPart(file, name, events, workbookLimits.descriptionBytesMax));
}

function createParser(
  name: string,
  events: PartEvents,
  bounds: MarkupBounds,
): { write: (text: string) => void; close: () => void } {
  // Loaded at the first use, because its tables and patterns take 30 ms.
  const { SaxesParser } = createRequire(import.meta.url)('saxes') as typeof Saxes;
  const parser = new SaxesParser({ xmlns: false, position: false });
  // UTF-16 units since the last tag: saxes collects a piece of markup until it is complete.
  let pending = 0;
  parser.on('opentag', ({ name: tag, attributes }) => {
    pending = 0;
    bounds.open(attributes);
    events.open(localName(tag), attributes);
  });
  parser.on('closetag', ({ name: tag }) => {
    pending = 0;
    bounds.close();
    events.close?.(localName(tag));
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  parser.on('doctype', () => {
    throw unreadable(`${name} has a document type, which no spreadsheet writes.`);
  });
  parser.on('error', (error) => {
    throw unreadable(`${name} is no well-formed XML: ${error.message}`);
  });
  return {
    write(text) {
      pending += text.length;
      parser.write(text);
      if (pending <= workbookLimits.markupCharactersMax) return;
      throw tooLarge(
        `${name} has a tag or a text of more than ${workbookLimits.markupCharactersMax} characters.`,
      );
    },
    close() {
      parser.close();
    },
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The value of `r:id`, with any namespace prefix. */
export function relationId(attributes: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(attributes).find(([name]) => /^\w+:id$/.test(name))?.[1];
}
