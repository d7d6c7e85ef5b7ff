import t from 'tap';
import { openList } from '../../../../src/mailings/lists/open-list.ts';
import { listFile, refusal } from '../list-files.ts';
import { ods, odsCell, odsContent, odsRow, odsTable } from '../ods-file.ts';

t.test('a damaged or foreign file is refused with what to do', async (t) => {
  const tables = odsTable(odsRow('a') + odsRow('1'));
  const content = odsContent({ tables });
  const manifest = '<manifest><file-entry><encryption-data/></file-entry></manifest>';
  const cases: [file: Buffer | string, message: RegExp][] = [
    [
      ods({ tables }, { 'META-INF/manifest.xml': manifest }),
      /has a password\. Save it without one/,
    ],
    [
      ods({ tables: odsTable(odsRow('a')).slice(0, -8) }),
      /content\.xml of the ODS is no well-formed XML/,
    ],
    [
      content.replace('document-content', 'document').slice(0, -60),
      /of the ODS is no well-formed XML/,
    ],
    [
      `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body/></office:document>`,
      /without a spreadsheet/,
    ],
    [ods({ tables: odsTable('') }), /The sheet "Sheet1" is empty/],
    [ods({ tables: '' }), /The ODS has no visible sheet/],
    [
      ods({
        tables: odsTable(odsRow('a') + '<table:table-row table:number-rows-repeated="1e400"/>'),
      }),
      /damaged: row 2 or a cell of it is repeated "1e400" times/,
    ],
    [
      ods({
        tables: odsTable(
          odsRow('a') +
            `<table:table-row>${odsCell('table:number-columns-repeated="201" office:value-type="string"', '<text:p>x</text:p>')}</table:table-row>`,
        ),
      }),
      /value in column GS on row 2, at most 200 columns/,
    ],
    [
      ods({
        tables: odsTable(
          odsRow('a') +
            `<table:table-row>${odsCell('office:value-type="string"', '<text:p><text:s text:c="40000000"/></text:p>')}</table:table-row>`,
        ),
      }),
      /limit of a cell/,
    ],
    [ods({ tables }).subarray(0, 400), /The ODS cannot be read/],
  ];
  for (const [file, message] of cases)
    t.match((await refusal(file)).message, message, String(message));
  const doctype = content
    .replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>')
    .replace('document-content', 'document');
  t.match(
    (await refusal(doctype.replace('/office:document-content', '/office:document'))).message,
    /is XML or a web page/,
  );
});

t.test('a row that is repeated without bound is refused, and takes no memory', async (t) => {
  const cells = Array.from({ length: 20 }, (_, index) => `c${index}`);
  const row = odsRow(...cells).replace(
    '<table:table-row>',
    '<table:table-row table:number-rows-repeated="1048575">',
  );
  const list = await openList(listFile(ods({ tables: odsTable(odsRow(...cells) + row) })));
  let count = 0;
  await t.rejects(
    async () => {
      for await (const { rows } of list.batches()) {
        count += rows.length;
        if (rows.length > 500) t.fail('a batch is too long');
      }
    },
    { code: 'PAYLOAD_TOO_LARGE', message: /The parts of the ODS have more than/ },
  );
  t.ok(count > 100_000, 'rows come while it is read');
});
