/**
 * Joins pages, each a separate PDF, to one PDF that is written over hours and across kills. A second file holds the
 * offsets of its objects, so that memory is bounded. Equal objects, such as common images, are written once.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { readPdfPage } from './pdf-objects.ts';
import type { PdfPage } from './pdf-objects.ts';
import type { PageSize } from './result-file.ts';

/** The target of a PDF: a file, or memory. */
export interface PdfSink {
  readonly bytes: number;
  append(chunk: Uint8Array): Promise<void>;
}

/** State of a checkpoint beside the sizes of the files. */
export interface PdfState {
  /** The number of the next object. */
  next: number;
  pages: number;
  /** Numbers of the nodes of the page tree, each with the pages of one batch. */
  nodes: number[];
}

/** Objects that every file has; the first two are written at the end. */
const catalog = 1;
const pageTree = 2;
const pageContents = 3;

export const emptyPdf: Readonly<PdfState> = { next: pageContents, pages: 0, nodes: [] };

/** Upper bound of the objects that are remembered for reuse by later pages, of some 100 bytes each. */
const knownObjectsMax = 10_000;

/** Binary bytes in a comment tell programs that the file is no text (7.5.2). */
const fileStart = Buffer.from('%PDF-1.4\n%\u00E2\u00E3\u00CF\u00D3\n', 'latin1');

export class PdfWriter {
  readonly #file: PdfSink;
  readonly #offsets: PdfSink;
  readonly #known = new LRUCache<string, number>({ max: knownObjectsMax });
  #state: PdfState;
  /** Pages since the last node. They wait, because a page refers to its node, which is written first. */
  #pages: string[] = [];

  constructor(file: PdfSink, offsets: PdfSink, state: PdfState = emptyPdf) {
    this.#file = file;
    this.#offsets = offsets;
    this.#state = structuredClone(state);
  }

  get state(): PdfState {
    return this.#state;
  }

  async addPage(file: Uint8Array, size: PageSize): Promise<void> {
    await this.#start();
    const page = readPdfPage(file);
    const drawing = await this.#addDrawing(page, size);
    const { widthUnits, heightUnits, pointsPerUnit } = size;
    const box = `[0 0 ${toNumber(widthUnits * pointsPerUnit)} ${toNumber(heightUnits * pointsPerUnit)}]`;
    const resources = `<</XObject <</P ${drawing} 0 R>>>>`;
    this.#pages.push(`/MediaBox ${box} /Resources ${resources} /Contents ${pageContents} 0 R`);
    this.#state.pages += 1;
  }

  /** Writes the node of the pages since the last one. The written part is complete then. */
  async endNode(): Promise<void> {
    const pages = this.#pages;
    if (pages.length === 0) return;
    this.#pages = [];
    const node = this.#state.next;
    const kids = pages.map((_, index) => `${node + 1 + index} 0 R`).join(' ');
    const entries = `/Type /Pages /Parent ${pageTree} 0 R /Count ${pages.length} /Kids [${kids}]`;
    await this.#add(`<<${entries}>>`);
    for (const page of pages) await this.#add(`<</Type /Page /Parent ${node} 0 R ${page}>>`);
    this.#state.nodes.push(node);
  }

  /** Writes the end of the file. `offsets` is all that was appended to the sink of offsets. */
  async finish(offsets: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    await this.#start();
    await this.endNode();
    const { nodes, pages, next } = this.#state;
    const file = this.#file;
    const kids = nodes.map((node) => `${node} 0 R`).join(' ');
    const catalogAt = file.bytes;
    await file.append(toObject(catalog, `<</Type /Catalog /Pages ${pageTree} 0 R>>`));
    const treeAt = file.bytes;
    await file.append(toObject(pageTree, `<</Type /Pages /Count ${pages} /Kids [${kids}]>>`));
    const tableAt = file.bytes;
    const first = `0000000000 65535 f \n${toEntry(catalogAt)}${toEntry(treeAt)}`;
    const rest = `${pageContents} ${next - pageContents}`;
    await file.append(Buffer.from(`xref\n0 ${pageContents}\n${first}${rest}\n`));
    for await (const chunk of offsets) await file.append(chunk);
    const trailer = `trailer\n<</Size ${next} /Root ${catalog} 0 R>>\nstartxref\n${tableAt}\n%%EOF\n`;
    await file.append(Buffer.from(trailer));
  }

  /** Writes the start of the file, and the content stream that all pages share: it draws the form of the page. */
  async #start(): Promise<void> {
    if (this.#state.next > pageContents) return;
    await this.#file.append(fileStart);
    await this.#add('<</Length 5>>', Buffer.from('stream\n/P Do\nendstream\n'));
  }

  /**
   * Adds the drawing of a page as a form, which scales it. Patterns have positions in the units of their form, so that
   * scaling the page would not scale them.
   */
  async #addDrawing({ objects, resources, contents }: PdfPage, size: PageSize): Promise<number> {
    const drawing = objects.get(contents);
    if (drawing === undefined) throw new Error('A page of a PDF has no drawing.');
    const added = new Map<string, number | 'open'>();
    const tags = new Map<string, string>();
    const link = async (text: readonly string[]): Promise<string> => {
      let linked = '';
      for (const [index, part] of text.entries()) {
        linked += index % 2 === 1 ? await add(part) : withTags(part, tags);
      }
      return linked;
    };
    const add = async (number: string): Promise<number> => {
      const known = added.get(number);
      const object = objects.get(number);
      if (known === 'open' || object === undefined)
        throw new Error('An object of a PDF names itself, or one that is missing.');
      if (known !== undefined) return known;
      added.set(number, 'open');
      const written = await this.#addOnce(await link(object.head), object.stream);
      added.set(number, written);
      return written;
    };
    for (const { name, file } of fontSubsets(objects)) tags.set(name, toTag(await add(file)));
    const scale = toNumber(size.pointsPerUnit);
    const form = [
      '/Type /XObject /Subtype /Form',
      `/BBox [0 0 ${size.widthUnits} ${size.heightUnits}] /Matrix [${scale} 0 0 ${scale} 0 0]`,
      `/Resources ${await link(resources)}`,
    ].join(' ');
    const head = (await link(drawing.head)).replace('<<', () => `<<${form}\n`);
    return this.#add(head, drawing.stream);
  }

  async #addOnce(head: string, stream: Uint8Array): Promise<number> {
    const bytes = Buffer.concat([Buffer.from(head, 'latin1'), stream]);
    const digest = hash('sha256', bytes, 'base64');
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    const number = await this.#add(head, stream);
    this.#known.set(digest, number);
    return number;
  }

  async #add(head: string, stream?: Uint8Array): Promise<number> {
    const number = this.#state.next;
    this.#state.next += 1;
    await this.#offsets.append(Buffer.from(toEntry(this.#file.bytes)));
    await this.#file.append(toObject(number, head, stream));
    return number;
  }
}

function toObject(number: number, head: string, stream: Uint8Array = new Uint8Array(0)): Buffer {
  const start = Buffer.from(`${number} 0 obj\n${head.trim()}\n`, 'latin1');
  return Buffer.concat([start, stream, Buffer.from('endobj\n')]);
}

const subsetPattern = /\/([A-Z]{6}\+[^\s()<>[\]{}/%]*)/g;

/** The embedded fonts, each with the name of its subset and the number of the object with its file. */
function fontSubsets(objects: PdfPage['objects']): { name: string; file: string }[] {
  return [...objects.values()].flatMap(({ head }) => {
    const fileAt = head.findIndex((part) => /\/FontFile\d?\s*$/.test(part));
    const [name] = [...head.join('').matchAll(subsetPattern)].map((match) => match[1]);
    const file = head[fileAt + 1];
    return fileAt === -1 || file === undefined || name === undefined ? [] : [{ name, file }];
  });
}

/** Replaces tags of font subsets: they must differ (9.6.4), and the engine begins with the same one in each page. */
function withTags(text: string, tags: ReadonlyMap<string, string>): string {
  return text.replaceAll(subsetPattern, (whole, name: string) => {
    const tag = tags.get(name);
    return tag === undefined ? whole : `/${tag}${name.slice(tag.length)}`;
  });
}

/** A tag of six letters for the number of an object. */
function toTag(number: number): string {
  const letters = Array.from(
    { length: 6 },
    (_, position) => Math.floor(number / 26 ** position) % 26,
  );
  return letters.map((letter) => String.fromCodePoint(65 + letter)).join('');
}

/** An entry of the cross-reference table: 20 bytes (7.5.4). */
function toEntry(offset: number): string {
  return `${String(offset).padStart(10, '0')} 00000 n \n`;
}

/** A number without an exponent, which the format does not allow. */
function toNumber(value: number): string {
  return String(Number(value.toFixed(5)));
}

/** Makes a complete PDF of one page, in memory. */
export async function toSinglePage(page: Uint8Array, size: PageSize): Promise<Uint8Array> {
  const [file, offsets] = [memorySink(), memorySink()];
  const writer = new PdfWriter(file, offsets);
  await writer.addPage(page, size);
  await writer.endNode();
  await writer.finish(offsets.chunks);
  return Buffer.concat(file.chunks);
}

function memorySink(): PdfSink & { chunks: Uint8Array[] } {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    chunks,
    get bytes() {
      return bytes;
    },
    append: async (chunk) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
    },
  };
}
