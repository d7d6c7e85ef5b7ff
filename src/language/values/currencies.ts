/**
 * Currencies and their decimals, of ISO 4217 and the Unicode CLDR 48. A table, because Node and browsers differ by their
 * version: the service, the studio and the command line write one amount.
 */

/** The codes (ISO 4217). */
export const currencyCodes: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL ' +
    'BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD ' +
    'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ' +
    'ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR ' +
    'LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO ' +
    'NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG ' +
    'SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD ' +
    'TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XDR XOF XPF XSU YER ZAR ZMW ' +
    'ZWG ZWL'
  ).split(' '),
);

/** Those that people write without decimals, and with three. All others have two. */
const withoutDecimals = new Set(
  (
    'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG ' +
    'RWF SLL SOS SYP UGX VND VUV XAF XOF XPF YER'
  ).split(' '),
);
const withThree = new Set(['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

/** Decimals of most currencies, and the fewest of an amount that has more than its currency. */
const usualDecimals = 2;

/**
 * Decimals of an amount in the form of programs: those of the currency, or more, so that none is dropped. 1300 HUF has
 * none, and 1299.5 HUF is 1299.50. More than two beyond the currency's are the rest of a division: 33.333333 is rounded
 * to 33.33, and an amount below one, such as the price of a unit, to two digits that are not zero.
 */
export function amountDecimals(currency: string, number: string): number {
  const decimals = withoutDecimals.has(currency) ? 0 : withThree.has(currency) ? 3 : usualDecimals;
  const needed = /\.(\d*?)0*$/.exec(number)?.[1]?.length ?? 0;
  if (needed <= decimals) return decimals;
  if (needed <= Math.max(decimals, usualDecimals) + 2) return Math.max(needed, usualDecimals);
  const [, zeros] = /^[+-]?0*\.(0*)/.exec(number) ?? [];
  return zeros === undefined ? decimals : Math.max(decimals, zeros.length + 2);
}
