/** Writes lists with packages of JavaScript; `write.ts` installs them in the folder in which this runs. */
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const load = createRequire(`${process.cwd()}/package.json`);
const iconv = load('iconv-lite');
const xlsx = load('xlsx');

/** Rows with dates as programs have them. */
const datedRows = ({ columns, rows }) => [
  columns,
  ...rows.map(([id, name, city, amount, since, note]) => [
    id,
    name,
    city,
    amount,
    new Date(`${since}T00:00:00Z`),
    note,
  ]),
];

function workbookOf(rows) {
  const workbook = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(workbook, xlsx.utils.aoa_to_sheet(rows, { UTC: true }), 'List');
  return workbook;
}

const texts = {
  'csv-stringify': ({ columns, rows, separator, quoteAll, isDos }) =>
    load('csv-stringify/sync').stringify([columns, ...rows], {
      delimiter: separator,
      quoted: quoteAll,
      record_delimiter: isDos ? 'windows' : 'unix',
    }),
  papaparse: ({ columns, rows, separator, quoteAll }) =>
    load('papaparse').unparse(
      { fields: columns, data: rows },
      { delimiter: separator, quotes: quoteAll },
    ),
  'fast-csv': async ({ columns, rows, separator, isDos }) =>
    (
      await load('fast-csv').writeToBuffer([columns, ...rows], {
        delimiter: separator,
        rowDelimiter: isDos ? '\r\n' : '\n',
      })
    ).toString(),
  json2csv: ({ columns, rows, separator }) =>
    new (load('json2csv').Parser)({ fields: columns, delimiter: separator }).parse(
      rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
    ),
};

const files = {
  sheetjs: ({ path, name, columns, rows }) =>
    xlsx.writeFile(workbookOf([columns, ...rows]), path, { bookType: name }),
  'sheetjs-xlsx': (job) => {
    const epoch = Date.UTC(1899, 11, 30);
    const sheet = workbookOf(
      datedRows(job).map((row) =>
        row.map((cell) =>
          cell instanceof Date
            ? { t: 'n', z: 'yyyy-mm-dd', v: (cell.getTime() - epoch) / 86_400_000 }
            : cell,
        ),
      ),
    );
    xlsx.writeFile(sheet, job.path, { bookType: 'xlsx', compression: true });
  },
  exceljs: async (job) => {
    const { Workbook } = load('exceljs');
    const workbook = new Workbook();
    workbook.addWorksheet('List').addRows(datedRows(job));
    await workbook.xlsx.writeFile(job.path);
  },
};

async function main() {
  for (const job of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
    if (job.program in files) await files[job.program](job);
    else writeFileSync(job.path, iconv.encode(await texts[job.program](job), job.name));
  }
  const { dependencies } = load('./package.json');
  const versions = { sheetjs: dependencies.xlsx, 'sheetjs-xlsx': dependencies.xlsx };
  for (const name of [...Object.keys(texts), 'exceljs']) versions[name] = dependencies[name];
  console.log(JSON.stringify(versions));
}

void main();
