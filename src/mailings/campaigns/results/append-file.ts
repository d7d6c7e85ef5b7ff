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

  get bytes(): number {
    return this.#bytes;
  }

  /** Opens or creates the file and keeps its first `bytes`: the rest was written after the checkpoint. */
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

  /** Resolves when all is on the disk, so that a checkpoint never refers to bytes that a crash may lose. */
  async sync(): Promise<void> {
    await this.#file?.datasync();
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}
