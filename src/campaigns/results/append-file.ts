/** A file that grows with the rows of a run: after a kill it is cut to its last checkpoint. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

export class AppendFile {
  readonly #path: string;
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes that are written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the file with its first `bytes`, and creates it if it is missing: the rest came after the checkpoint. */
  async start(bytes: number): Promise<void> {
    this.#file = await open(this.#path, bytes === 0 ? 'w' : 'r+', 0o600);
    await this.#file.truncate(bytes);
    this.#bytes = bytes;
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#file?.write(chunk, 0, chunk.byteLength, this.#bytes);
    this.#bytes += chunk.byteLength;
  }

  /** Appends the whole file at `path`. */
  async appendFile(path: string): Promise<void> {
    for await (const chunk of createReadStream(path)) await this.append(chunk as Buffer);
  }

  /** Resolves when all is on the disk: a checkpoint must not know more than the file has. */
  async sync(): Promise<void> {
    await this.#file?.datasync();
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}
