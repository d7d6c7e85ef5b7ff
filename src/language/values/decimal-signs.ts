/**
 * Languages with a comma before decimals, of the Unicode CLDR 48. A table, because Node and browsers differ by their
 * version: the service, the studio and the command line read one number.
 */
import { knownLanguage } from './intl.ts';
import { hasTwoReadings } from './read-number.ts';
import type { DecimalSign } from './read-number.ts';

const commaLanguages: ReadonlySet<string> = new Set(
  (
    'af agq ast az bas be bg blo br bs bua ca cs cv da de dsb dua dyo el eo es et eu ewo ff fi fo fr ' +
    'fur fy gl hr hsb hu hy ia id ie is it jgo jv ka kab kea kgp kk kkj kl ksf ksh ku ky lb lij lmo ' +
    'ln lo lt lu lv mgh mk mua nb nds nl nmg nn nnh no oc os pl pms prg ps pt rm rn ro ru rw sah sc ' +
    'scn se seh sg shi sk sl smn sq sr su sv szl tg tk tok tr tt tzm uk uz vec vi vmw wae wo yav yrl zgh'
  ).split(' '),
);

/** Regions, and one script, with the other sign than their language. */
const otherRegions: Readonly<Record<string, string>> = {
  ar: 'DZ LB LY MA MR TN',
  de: 'CH LI',
  en: 'AT BE CZ DE DK EE ES FI FR GE HU ID IT LT LV NL NO PL PT RO SE SI SK UA ZA',
  es: 'BR BZ CU DO GT HN MX NI PA PE PR SV US 419',
  it: 'CH',
  kk: 'CN Arab',
  ku: 'IQ',
  ms: 'BN ID',
  qu: 'BO',
  sw: 'CD',
};

/** The decimal sign of a language in digits of ASCII. */
export function decimalSign(lang: string): DecimalSign {
  const [language = '', ...parts] = knownLanguage(lang).split('-');
  const others = Object.hasOwn(otherRegions, language) ? otherRegions[language] : undefined;
  const isOther = others !== undefined && parts.some((part) => others.split(' ').includes(part));
  return commaLanguages.has(language) === isOther ? '.' : ',';
}

/** A plain number as people write it in a language, where `readNumber` would read it otherwise: 1.234 in German. */
export function writtenNumber(plain: string, lang: string | undefined): string {
  const hasComma = lang !== undefined && hasTwoReadings(plain) && decimalSign(lang) === ',';
  return hasComma ? plain.replace('.', ',') : plain;
}

/** A value of a variable as a link and a preview take it. */
export function sentValue<Value>(
  type: string,
  value: Value,
  lang: string | undefined,
): Value | string {
  return type === 'number' ? writtenNumber(String(value), lang) : value;
}
