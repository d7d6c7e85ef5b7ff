/** A PDF of all rows in a file that continues after a kill. Each batch of rows is a node of the page tree. */
import { createReadStream } from 'node:fs';
import { AppendFile } from '../append-file.ts';
import { PdfWriter } from './pdf-writer.ts';
import type { PdfState } from './pdf-writer.ts';
import type { PageSize, ResultFile } from './result-file.ts';

interface PdfFileState {
  bytes: number;
  offsetsBytes: number;
  pdf?: PdfState;
}

export class PdfFile implements ResultFile {
  readonly #file: AppendFile;
  readonly #offsets: AppendFile;
  readonly #offsetsPath: string;
  #writer: PdfWriter;

  constructor(path: string, offsetsPath: string) {
    this.#file = new AppendFile(path);
    this.#offsets = new AppendFile(offsetsPath);
    this.#offsetsPath = offsetsPath;
    this.#writer = new PdfWriter(this.#file, this.#offsets);
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  get state(): PdfFileState {
    const [bytes, offsetsBytes] = [this.#file.bytes, this.#offsets.bytes];
    return { bytes, offsetsBytes, pdf: this.#writer.state };
  }

  async start(
    { bytes, offsetsBytes, pdf }: PdfFileState = { bytes: 0, offsetsBytes: 0 },
  ): Promise<void> {
    await this.#file.start(bytes);
    await this.#offsets.start(offsetsBytes);
    this.#writer = new PdfWriter(this.#file, this.#offsets, pdf);
  }

  async add(_name: string, page: Uint8Array, size: PageSize): Promise<void> {
    await this.#writer.addPage(page, size);
  }

  async sync(): Promise<void> {
    await this.#writer.endNode();
    await this.#file.sync();
    await this.#offsets.sync();
  }

  async finish(): Promise<void> {
    await this.#writer.finish(createReadStream(this.#offsetsPath) as AsyncIterable<Buffer>);
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#offsets.close();
  }
}
