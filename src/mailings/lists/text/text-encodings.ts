/** The encodings of lists: their labels, how they are decoded, and which languages are written in them. */
import iconv from 'iconv-lite';

/** An encoding that may be detected. */
export interface ListEncoding {
  label: string;
  /** Languages whose files have this encoding. */
  languages: readonly string[];
  /** How frequent files of this encoding are, beside Windows-1252. */
  frequency: number;
  /** The logarithm of the probability of a byte that is no letter. */
  lostLog: number;
}

/** Any word of a foreign language is likelier than a byte that its encoding does not have. */
const wholeLostLog = -20;
/** Of a list that several programs wrote, some rows may have another encoding. */
const mixedLostLog = -8;

const western = 'en fr es pt de it nl sv da no fi is ca gl eu ga sq lb fo et'.split(' ');
const central = 'pl cs sk hu ro hr sl sq de'.split(' ');
const baltic = 'lt lv et pl de'.split(' ');
const cyrillic = 'ru uk bg sr mk be'.split(' ');

/**
 * Encodings of Excel on Windows come first, then those of Excel on a Mac and of DOS, which Excel offers too, then those
 * of other programs. Windows-1252 contains ISO 8859-1, Windows-874 TIS-620, and GB18030 GBK.
 */
const usual: readonly Omit<ListEncoding, 'lostLog'>[] = [
  { label: 'windows-1252', languages: western, frequency: 1 },
  { label: 'windows-1250', languages: central, frequency: 0.4 },
  { label: 'windows-1251', languages: cyrillic, frequency: 0.5 },
  { label: 'windows-1253', languages: ['el'], frequency: 0.5 },
  { label: 'windows-1254', languages: ['tr', 'az', 'de', 'fr', 'en'], frequency: 0.3 },
  { label: 'windows-1255', languages: ['he'], frequency: 0.5 },
  { label: 'windows-1256', languages: ['ar', 'fa', 'ur', 'fr'], frequency: 0.5 },
  { label: 'windows-1257', languages: baltic, frequency: 0.2 },
  { label: 'windows-1258', languages: ['vi'], frequency: 0.02 },
  { label: 'windows-874', languages: ['th'], frequency: 0.5 },
  { label: 'shift_jis', languages: ['ja'], frequency: 0.5 },
  { label: 'gb18030', languages: ['zh'], frequency: 0.5 },
  { label: 'big5', languages: ['zh-Hant'], frequency: 0.5 },
  { label: 'euc-kr', languages: ['ko'], frequency: 0.5 },
  { label: 'euc-jp', languages: ['ja'], frequency: 0.2 },
  { label: 'macintosh', languages: western, frequency: 0.2 },
  { label: 'x-mac-ce', languages: 'pl cs sk hu sl lt lv et de'.split(' '), frequency: 0.03 },
  { label: 'x-mac-cyrillic', languages: cyrillic, frequency: 0.1 },
  { label: 'x-mac-greek', languages: ['el'], frequency: 0.1 },
  { label: 'x-mac-turkish', languages: ['tr'], frequency: 0.05 },
  { label: 'cp850', languages: western, frequency: 0.2 },
  { label: 'cp437', languages: 'en fr es de it nl sv fi'.split(' '), frequency: 0.1 },
  { label: 'cp852', languages: central, frequency: 0.05 },
  { label: 'cp855', languages: cyrillic, frequency: 0.03 },
  { label: 'cp857', languages: ['tr'], frequency: 0.05 },
  { label: 'ibm866', languages: cyrillic, frequency: 0.1 },
  { label: 'koi8-r', languages: ['ru', 'bg'], frequency: 0.1 },
  { label: 'koi8-u', languages: ['uk', 'ru'], frequency: 0.1 },
  { label: 'iso-8859-2', languages: central, frequency: 0.1 },
  { label: 'iso-8859-3', languages: ['eo', 'mt'], frequency: 0.01 },
  { label: 'iso-8859-4', languages: baltic, frequency: 0.01 },
  { label: 'iso-8859-5', languages: cyrillic, frequency: 0.05 },
  { label: 'iso-8859-6', languages: ['ar'], frequency: 0.05 },
  { label: 'iso-8859-7', languages: ['el'], frequency: 0.1 },
  { label: 'iso-8859-8', languages: ['he'], frequency: 0.05 },
  { label: 'iso-8859-10', languages: ['is', 'sv', 'no', 'da', 'lt', 'fo'], frequency: 0.01 },
  { label: 'iso-8859-13', languages: baltic, frequency: 0.02 },
  { label: 'iso-8859-14', languages: ['ga', 'cy'], frequency: 0.01 },
  { label: 'iso-8859-15', languages: western, frequency: 0.1 },
  { label: 'iso-8859-16', languages: ['ro'], frequency: 0.01 },
];

export const listEncodings: readonly ListEncoding[] = usual.map((each) => ({
  ...each,
  lostLog: wholeLostLog,
}));

/** UTF-8 with damaged letters, a candidate in the sight of whole letters. */
export const damagedUtf8: ListEncoding = {
  label: 'utf-8',
  languages: [...new Set(listEncodings.flatMap(({ languages }) => languages))],
  frequency: 1,
  lostLog: mixedLostLog,
};

/** Encodings that `TextDecoder` does not have, by our labels, with the names of iconv-lite. */
const iconvNames: Readonly<Record<string, string>> = {
  'x-mac-ce': 'maccenteuro',
  'x-mac-greek': 'macgreek',
  'x-mac-turkish': 'macturkish',
  cp437: 'cp437',
  cp850: 'cp850',
  cp852: 'cp852',
  cp855: 'cp855',
  cp857: 'cp857',
  'iso-8859-16': 'iso885916',
};

/** Other names of them, as programs write them. */
const aliases: Readonly<Record<string, string>> = {
  'x-mac-centraleurroman': 'x-mac-ce',
  'mac-centraleurope': 'x-mac-ce',
  maccentraleurope: 'x-mac-ce',
  maclatin2: 'x-mac-ce',
  'mac-latin2': 'x-mac-ce',
  macgreek: 'x-mac-greek',
  'mac-greek': 'x-mac-greek',
  macturkish: 'x-mac-turkish',
  'mac-turkish': 'x-mac-turkish',
  macroman: 'macintosh',
  'mac-roman': 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  'mac-cyrillic': 'x-mac-cyrillic',
  ...Object.fromEntries(
    ['437', '850', '852', '855', '857'].flatMap((page) =>
      ['ibm', 'ibm-', 'cp-', 'dos-', ''].map((prefix) => [prefix + page, `cp${page}`]),
    ),
  ),
  'dos-866': 'ibm866',
  'tis-620': 'windows-874',
  'latin-10': 'iso-8859-16',
  latin10: 'iso-8859-16',
};

/** Our label of an encoding that somebody names; undefined for an unknown one. */
export function findEncoding(name: string): string | undefined {
  const folded = name.trim().toLowerCase().replaceAll('_', '-');
  const label = Object.hasOwn(aliases, folded) ? aliases[folded] : folded;
  if (label !== undefined && Object.hasOwn(iconvNames, label)) return label;
  for (const each of [label, name]) {
    try {
      if (each !== undefined) return new TextDecoder(each).encoding;
    } catch {
      // Shift_JIS has an underscore in its label, other encodings hyphens.
    }
  }
  return undefined;
}

/** Decodes bytes in parts. */
export interface ListDecoder {
  decode(bytes: Uint8Array): string;
  /** The text of an unfinished letter at the end. */
  end(): string;
}

/** A decoder of a label from `findEncoding`. Bytes without a letter become U+FFFD. */
export function createDecoder(label: string): ListDecoder {
  const name = iconvNames[label];
  if (name !== undefined) {
    const decoder = iconv.getDecoder(name);
    return {
      decode: (bytes) => decoder.write(Buffer.from(bytes)),
      end: () => decoder.end() ?? '',
    };
  }
  const decoder = new TextDecoder(label);
  return {
    decode: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

const wholeDecoders = new Map<string, ListDecoder['decode']>();

/** Decodes whole bytes, with a decoder that is kept: a detection asks for thousands of words. */
export function decodeWhole(bytes: Buffer, label: string): string {
  let decode = wholeDecoders.get(label);
  if (decode === undefined) {
    const name = iconvNames[label];
    const decoder = name === undefined ? new TextDecoder(label) : undefined;
    decode = (part) => decoder?.decode(part) ?? iconv.decode(Buffer.from(part), name ?? label);
    wholeDecoders.set(label, decode);
  }
  return decode(bytes);
}
