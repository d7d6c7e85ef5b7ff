/** Bounds the markup of one part: the XML parser keeps each open element and each attribute of a tag. */
import { formatCount, tooLarge } from '../list.ts';
import { xlsxLimits } from '../list-limits.ts';

export class MarkupBounds {
  readonly #part: string;
  #depth = 0;
  /** Elements and attributes so far. */
  #nodes = 0;

  constructor(part: string) {
    this.#part = part;
  }

  /** Counts the start tag of an element. Throws PAYLOAD_TOO_LARGE. */
  open(attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    const nodesBefore = this.#nodes;
    for (const _ in attributes) this.#nodes += 1;
    this.#nodes += 1;
    const { depthMax, attributesMax, nodesMax } = xlsxLimits;
    if (this.#depth > depthMax) throw this.#tooLarge(`elements nested deeper than ${depthMax}`);
    if (this.#nodes - nodesBefore > attributesMax + 1)
      throw this.#tooLarge(`an element with more than ${attributesMax} attributes`);
    if (this.#nodes > nodesMax)
      throw this.#tooLarge(`more than ${formatCount(nodesMax)} elements and attributes`);
  }

  close(): void {
    this.#depth -= 1;
  }

  #tooLarge(fault: string): Error {
    return tooLarge(`${this.#part} of the XLSX has ${fault}. Save the sheet as CSV.`);
  }
}
