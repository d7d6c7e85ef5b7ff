/** A flat OpenDocument file (`.fods`): all parts of a spreadsheet in one XML document. */
import { createReadStream } from 'node:fs';
import type { ReadingSteps } from '../workbook/markup-bounds.ts';
import type { PartFile } from '../workbook/read-part.ts';

/** The name of the part that has the tables. */
export const contentPart = 'content.xml';

/** It has the part of the tables alone. */
export class FlatFile implements PartFile {
  readonly #path: string;
  readonly #bytes: number;
  readonly steps: ReadingSteps;

  constructor(path: string, bytes: number, steps: ReadingSteps) {
    this.#path = path;
    this.#bytes = bytes;
    this.steps = steps;
  }

  has(name: string): boolean {
    return name === contentPart;
  }

  bytesOf(): number {
    return this.#bytes;
  }

  // The limit of a file is below that of a part.
  async *read(): AsyncGenerator<Buffer, void, void> {
    for await (const chunk of createReadStream(this.#path) as AsyncIterable<Buffer>) yield chunk;
  }

  close(): void {
    // Each reading closes its stream.
  }
}

/** Whether a file starts like a flat OpenDocument file. */
export function isFlatFile(head: string): boolean {
  return /^\s*<\?xml\b[^>]*>\s*(?:<!--[^]*?-->\s*)*<(?:\w+:)?document\b[^>]*urn:oasis:names:tc:opendocument/.test(
    head,
  );
}
