/** Bounds the work of reading the parts of a workbook, and what the XML parser keeps: open elements, attributes of a tag. */
import { formatCount, tooLarge } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';

/** The kind of a workbook, as messages name it. */
export type WorkbookKind = 'XLSX' | 'ODS';

/** Bytes of a part that count as a step, as an element or an attribute does. */
const stepBytes = 16;

/** Counts the steps of reading one file, over all of its parts. */
export class ReadingSteps {
  readonly kind: WorkbookKind;
  readonly #fileBytes: number;
  readonly #stepsMax: number;
  #steps: number;

  /** `steps` were taken before. */
  constructor(kind: WorkbookKind, fileBytes: number, steps = 0) {
    this.kind = kind;
    const { stepsMax, stepsFree, byteStepsMax } = workbookLimits;
    this.#fileBytes = fileBytes;
    this.#stepsMax = Math.min(stepsMax, stepsFree + byteStepsMax * fileBytes);
    this.#steps = steps;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Throws PAYLOAD_TOO_LARGE. */
  add(steps: number): void {
    this.#steps += steps;
    if (this.#steps <= this.#stepsMax) return;
    throw tooLarge(
      `The parts of the ${this.kind} have more than ${formatCount(this.#stepsMax)} elements, attributes and pieces of ${stepBytes} bytes, the limit for a file of ${formatCount(this.#fileBytes)} bytes. Save the sheet as CSV.`,
    );
  }
}

/** Bounds one part. All methods throw PAYLOAD_TOO_LARGE. */
export class MarkupBounds {
  readonly #part: string;
  readonly #steps: ReadingSteps;
  #depth = 0;

  constructor(part: string, steps: ReadingSteps) {
    this.#part = part;
    this.#steps = steps;
  }

  read(bytes: number): void {
    this.#steps.add(bytes / stepBytes);
  }

  /** Counts the start tag of an element. */
  open(attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    let nodes = 1;
    for (const _ in attributes) nodes += 1;
    const { depthMax, attributesMax } = workbookLimits;
    if (this.#depth > depthMax) throw this.#tooLarge(`elements nested deeper than ${depthMax}`);
    if (nodes > attributesMax + 1)
      throw this.#tooLarge(`an element with more than ${attributesMax} attributes`);
    this.#steps.add(nodes);
  }

  close(): void {
    this.#depth -= 1;
  }

  #tooLarge(fault: string): Error {
    return tooLarge(
      `${this.#part} of the ${this.#steps.kind} has ${fault}. Save the sheet as CSV.`,
    );
  }
}
