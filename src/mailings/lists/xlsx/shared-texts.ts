/**
 * Stores the distinct texts of a workbook as UTF-8 outside of the JavaScript heap, which takes half the memory of
 * strings.
 */
import { formatCount, tooLarge } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';

/** Bytes of a block. No text is longer. */
const blockBytes = 1024 * 1024;

export class SharedTexts {
  readonly #blocks: Buffer[] = [];
  /** Offset of the start of each text in bytes, over all blocks. `#lengths` has its length in bytes. */
  #starts = new Uint32Array(1024);
  #lengths = new Uint32Array(1024);
  #count = 0;
  #used = blockBytes;

  add(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.#used + length > blockBytes) {
      this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
      this.#used = 0;
    }
    if (
      this.#blocks.length * blockBytes > workbookLimits.sharedTextBytesMax ||
      this.#count >= workbookLimits.sharedTextsMax
    ) {
      throw tooLarge(
        `The workbook has more than ${formatCount(workbookLimits.sharedTextBytesMax)} bytes of text, or ${formatCount(workbookLimits.sharedTextsMax)} different texts. Save the sheet as CSV.`,
      );
    }
    if (this.#count === this.#starts.length) this.#grow();
    const last = this.#blocks.length - 1;
    this.#blocks[last]?.write(text, this.#used);
    this.#starts[this.#count] = last * blockBytes + this.#used;
    this.#lengths[this.#count] = length;
    this.#count += 1;
    this.#used += length;
  }

  /** The text of an index; undefined for an unknown index. */
  get(index: number): string | undefined {
    const start = this.#starts[index] ?? 0;
    const block = this.#blocks[Math.floor(start / blockBytes)];
    if (block === undefined || !(index < this.#count)) return undefined;
    const from = start % blockBytes;
    return block.toString('utf8', from, from + (this.#lengths[index] ?? 0));
  }

  #grow(): void {
    const starts = new Uint32Array(this.#count * 2);
    const lengths = new Uint32Array(this.#count * 2);
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    this.#starts = starts;
    this.#lengths = lengths;
  }
}
