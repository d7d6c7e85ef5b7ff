/** Reads a PDF with the reader of Firefox. */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

interface Page {
  /** Width and height in points. */
  size: number[];
  /** Its lines from the top. */
  texts: string[];
  fonts: { name: string; isEmbedded: boolean }[];
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
    const names = fnArray.flatMap((operation, index) =>
      operation === OPS.setFont ? [String((argsArray[index] as unknown[])[0])] : [],
    );
    const fonts = [...new Set(names)].map((id) => {
      const font = page.commonObjs.get(id) as { name: string; missingFile?: boolean };
      return { name: font.name, isEmbedded: font.missingFile !== true };
    });
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
    const texts = [...lines].toSorted(([a], [b]) => a - b).map(([, text]) => text.trim());
    pages.push({
      size: [right - left, top - bottom],
      texts: texts.filter((text) => text !== ''),
      fonts,
    });
  }
  return pages;
}
