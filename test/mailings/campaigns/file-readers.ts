/** Reads the files of a campaign: a ZIP with yauzl, which checks sizes and sums, and a PDF with the reader of Firefox. */
import { buffer } from 'node:stream/consumers';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { fromBufferPromise } from 'yauzl';

/** The files of a ZIP by their names, in the order of its directory. Rejects for a damaged one, or for two of one name. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`Two files are called ${entry.fileName}.`);
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

interface Page {
  /** Width and height in points. */
  size: number[];
  /** Its lines from the top. */
  texts: string[];
  /** Whether it has fonts, and the file has all of them. */
  areEmbedded: boolean;
}

export async function readPages(bytes: Buffer): Promise<Page[]> {
  const { OPS } = await getResolvedPDFJS();
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = new Map<number, string>();
    for (const item of items) {
      if (!('str' in item)) continue;
      const top = Math.round(-Number(item.transform[5]));
      lines.set(top, (lines.get(top) ?? '') + item.str);
    }
    const { fnArray, argsArray } = await page.getOperatorList();
    const fonts = fnArray.flatMap((operation, index) =>
      operation === OPS.setFont ? [String((argsArray[index] as unknown[])[0])] : [],
    );
    const isEmbedded = (font: string): boolean =>
      (page.commonObjs.get(font) as { missingFile?: boolean }).missingFile !== true;
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
    const texts = [...lines].toSorted(([a], [b]) => a - b).map(([, text]) => text.trim());
    pages.push({
      size: [right - left, top - bottom],
      texts: texts.filter((text) => text !== ''),
      areEmbedded: fonts.length > 0 && fonts.every(isEmbedded),
    });
  }
  return pages;
}
