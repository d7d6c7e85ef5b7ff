/** The encodings that programs write, each by the label of the product and the name that the program has for it. */

const east = 'shift_jis=cp932 euc-jp=euc_jp gb18030=gbk big5=big5 euc-kr=euc_kr';
const windows = (prefix: string): string =>
  [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257]
    .map((page) => `windows-${page}=${prefix}${page}`)
    .join(' ');
const dos = (prefix: string): string =>
  [437, 850, 852, 855, 857].map((page) => `cp${page}=${prefix}${page}`).join(' ') +
  ` ibm866=${prefix}866`;
const iso = (prefix: string): string =>
  [2, 4, 5, 7, 13, 15].map((part) => `iso-8859-${part}=${prefix}${part}`).join(' ');

/** Texts of pairs `label=name`. */
const pairs: Readonly<Record<string, string>> = {
  // The numbers of LibreOffice's text encodings.
  libreoffice:
    'windows-1252=1 windows-1250=33 windows-1251=34 windows-1253=35 windows-1254=36 windows-1255=37 ' +
    'windows-1256=38 windows-1257=39 windows-1258=40 windows-874=32 macintosh=2 x-mac-ce=42 ' +
    'x-mac-cyrillic=44 x-mac-greek=47 x-mac-turkish=54 cp437=3 cp850=4 cp852=25 cp855=26 cp857=27 ' +
    'ibm866=30 koi8-r=74 koi8-u=88 iso-8859-2=13 iso-8859-4=15 iso-8859-5=16 iso-8859-6=17 ' +
    'iso-8859-7=18 iso-8859-8=19 iso-8859-10=77 iso-8859-13=78 iso-8859-15=22 shift_jis=60 ' +
    'euc-jp=69 iso-2022-jp=72 gb18030=67 big5=63 euc-kr=79 utf-8=76 utf-16le=65535',
  gnumeric:
    `${windows('CP')} windows-1258=CP1258 windows-874=CP874 macintosh=MACINTOSH x-mac-cyrillic=MAC-CYRILLIC ${dos('CP')} ` +
    `koi8-r=KOI8-R koi8-u=KOI8-U ${iso('ISO-8859-')} shift_jis=SHIFT_JIS euc-jp=EUC-JP gb18030=GBK ` +
    'big5=BIG5 euc-kr=EUC-KR utf-8=UTF-8 utf-16le=UTF-16LE',
  'python-csv':
    `${windows('cp')} windows-1258=cp1258 windows-874=cp874 macintosh=mac_roman x-mac-ce=mac_latin2 x-mac-cyrillic=mac_cyrillic ` +
    `x-mac-greek=mac_greek x-mac-turkish=mac_turkish ${dos('cp')} koi8-r=koi8_r koi8-u=koi8_u ` +
    `${east} utf-8=utf-8-sig utf-16le=utf-16`,
  pandas: `windows-1252=cp1252 windows-1250=cp1250 windows-1251=cp1251 windows-1254=cp1254 macintosh=mac_roman ${east} utf-8=utf-8`,
  'php-fputcsv':
    'windows-1252=Windows-1252 windows-1250=CP1250 windows-1251=Windows-1251 windows-1254=Windows-1254 ' +
    'windows-1253=CP1253 windows-1257=CP1257 cp850=CP850 ibm866=CP866 koi8-r=KOI8-R koi8-u=KOI8-U ' +
    'iso-8859-2=ISO-8859-2 iso-8859-15=ISO-8859-15 shift_jis=SJIS-win euc-jp=eucJP-win gb18030=CP936 ' +
    'big5=BIG-5 euc-kr=UHC utf-8=UTF-8 utf-16le=UTF-16LE',
  'ruby-csv':
    `${windows('Windows-')} windows-874=Windows-874 macintosh=macRoman x-mac-cyrillic=macCyrillic x-mac-greek=macGreek ` +
    `x-mac-turkish=macTurkish ${dos('IBM')} koi8-r=KOI8-R shift_jis=Windows-31J gb18030=GBK big5=Big5 euc-kr=CP949 utf-8=UTF-8`,
  'perl-text-csv-xs':
    `${windows('cp')} windows-1258=cp1258 macintosh=MacRoman x-mac-ce=MacCentralEurRoman x-mac-cyrillic=MacCyrillic ` +
    `x-mac-greek=MacGreek x-mac-turkish=MacTurkish cp850=cp850 koi8-u=koi8-u ${iso('iso-8859-')} utf-8=UTF-8`,
  'csv-stringify':
    'windows-1252=win1252 windows-1250=win1250 windows-1251=win1251 windows-1253=win1253 cp852=cp852 x-mac-ce=maccenteuro shift_jis=shift_jis utf-8=utf8',
  papaparse:
    'windows-1252=win1252 windows-1254=win1254 windows-1255=win1255 windows-1256=win1256 macintosh=macroman gb18030=gbk euc-kr=cp949 utf-8=utf8',
  'fast-csv':
    'windows-1252=win1252 windows-1257=win1257 windows-874=win874 koi8-r=koi8-r ibm866=cp866 x-mac-turkish=macturkish big5=big5 utf-8=utf8',
  json2csv:
    'windows-1252=win1252 windows-1250=win1250 cp437=cp437 x-mac-greek=macgreek euc-jp=eucjp utf-8=utf8',
  sheetjs: 'utf-8=csv utf-16le=txt',
  'postgresql-copy':
    `${windows('WIN')} windows-1258=WIN1258 windows-874=WIN874 ibm866=WIN866 koi8-r=KOI8R koi8-u=KOI8U iso-8859-2=LATIN2 iso-8859-4=LATIN4 ` +
    'iso-8859-5=ISO_8859_5 iso-8859-6=ISO_8859_6 iso-8859-7=ISO_8859_7 iso-8859-8=ISO_8859_8 iso-8859-10=LATIN6 ' +
    'iso-8859-13=LATIN7 iso-8859-15=LATIN9 shift_jis=SJIS euc-jp=EUC_JP gb18030=GBK big5=BIG5 euc-kr=EUC_KR utf-8=UTF8',
  'psql-copy':
    'windows-1252=WIN1252 windows-1250=WIN1250 windows-1251=WIN1251 windows-1256=WIN1256 euc-kr=UHC utf-8=UTF8',
  sqlite:
    'windows-1252=CP1252 windows-1250=CP1250 windows-1253=CP1253 windows-1255=CP1255 macintosh=MACINTOSH cp850=CP850 koi8-r=KOI8-R shift_jis=CP932 utf-8=UTF-8',
  // A backslash before quotes, the default of MariaDB and MySQL.
  'mariadb-backslash':
    'windows-1252=latin1 windows-1250=cp1250 windows-1251=cp1251 macintosh=macroman shift_jis=cp932 gb18030=gbk big5=big5 utf-8=utf8mb4',
  mariadb:
    'windows-1252=latin1 windows-1250=cp1250 windows-1251=cp1251 windows-1256=cp1256 windows-1257=cp1257 cp850=cp850 cp852=cp852 ' +
    'ibm866=cp866 koi8-r=koi8r koi8-u=koi8u iso-8859-2=latin2 iso-8859-7=greek iso-8859-8=hebrew iso-8859-13=latin7 ' +
    'macintosh=macroman x-mac-ce=macce windows-874=tis620 shift_jis=cp932 euc-jp=ujis gb18030=gbk big5=big5 euc-kr=euckr utf-8=utf8mb4',
};

/** Programs that write XLSX alone, or too. */
export const workbookPrograms = [
  'libreoffice-xlsx',
  'gnumeric-xlsx',
  'openpyxl',
  'perl-excel-writer',
  'sheetjs-xlsx',
  'exceljs',
];

export const textPrograms = Object.keys(pairs);

/** The encodings of a program, each with the name that the program has for it. */
export function encodingNames(program: string): [label: string, name: string][] {
  return (pairs[program] ?? '')
    .split(' ')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=') as [string, string]);
}
