/**
 * Currencies and their decimals, of ISO 4217 and the Unicode CLDR 48. A table, because Node and browsers differ by their
 * version: the service, the studio and the command line write one amount.
 */

/** The codes (ISO 4217). */
export const currencyCodes: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL ' +
    'BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD ' +
    'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ' +
    'ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR ' +
    'LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO ' +
    'NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG ' +
    'SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD ' +
    'TZS UAH UGX USD USN UYI UYU UYW UZS VES VND VUV WST XAF XCD XCG XDR XOF XPF XSU YER ZAR ZMW ' +
    'ZWG ZWL'
  ).split(' '),
);

/** Those that people write without decimals, with three, and with four. All others have two. */
const withoutDecimals = new Set(
  (
    'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG ' +
    'RWF SLL SOS SYP UGX UYI VND VUV XAF XOF XPF YER'
  ).split(' '),
);
const withThree = new Set(['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
/** Units of account that follow prices: of Chile and of Uruguay. */
const withFour = new Set(['CLF', 'UYW']);

/** Decimals of most currencies, and the fewest of an amount that has more than its currency. */
const usualDecimals = 2;

/**
 * Decimals of an amount with `needed` decimals that are not zero: those of the currency, or more, so that none is
 * dropped. 1300 HUF has none, and 1299.5 HUF is 1299.50.
 */
export function amountDecimals(currency: string, needed: number): number {
  const decimals = currencyDecimals(currency);
  return needed <= decimals ? decimals : Math.max(needed, usualDecimals);
}

function currencyDecimals(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  if (withThree.has(currency)) return 3;
  return withFour.has(currency) ? 4 : usualDecimals;
}
