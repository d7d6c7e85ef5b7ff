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

// Signs and words of currencies as people write them beside an amount.

const dollars =
  'USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP UYU CUP DOP BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD CVE CUC MOP TOP WST';

/** Words behind or before an amount, with `_` for a space and perhaps a point behind; after the colon the codes. */
const words =
  `$:${dollars} NIO BRL;R$:BRL;A$:AUD;C$:CAD NIO;NT$:TWD;S$:SGD;RD$:DOP;` +
  '€ euro euros:EUR;£:GBP EGP LBP SYP FKP GIP SHP SSP SDG;LE:EGP;L£:LBP;¥ ￥:JPY CNY;' +
  '円:JPY;元:CNY TWD HKD MOP SGD;RMB:CNY;₩ 원:KRW KPW;₹ रु:INR;Rs ₨:INR PKR LKR NPR MUR SCR;रू नेरू:NPR;' +
  'රු:LKR;৳ টাকা:BDT;₽:RUB;руб р:RUB BYN;Br:BYN ETB;₴ грн:UAH;zł zl Zł:PLN;Kč Kcs:CZK;Ft:HUF;лв:BGN;' +
  'lei leu:RON MDL;din дин:RSD;ден:MKD;KM:BAM;lekë lek Lekë Lek:ALL;Rp:IDR;RM:MYR;₺ TL:TRY;' +
  'kr Kr:SEK NOK DKK ISK;Dkr:DKK;Nkr NKr:NOK;Ikr:ISK;щ.д:USD;R:ZAR;Fr SFr:CHF;₸:KZT;₼:AZN;₾:GEL;֏:AMD;' +
  'сом:KGS TJS;soʻm so‘m сум сўм:UZS;₮ төг:MNT;₪ ש"ח ש״ח NIS:ILS;฿ บาท:THB;₭ ກີບ:LAK;៛ រៀល:KHR;' +
  '₫ đ VNĐ:VND;₱ Php:PHP CUP;₦:NGN;₵ GH₵:GHS;KSh Ksh:KES;TSh:TZS;USh:UGX;ብር:ETB;S/:PEN;Bs bs:BOB VES;' +
  'Bs.S:VES;B/:PAB;₡:CRC;₲ Gs:PYG;FCFA CFA F_CFA:XAF XOF;RF:RWF;FC:CDF;Ar:MGA;MK:MWK;ZK:ZMW;Le:SLE;' +
  'T$:TOP;CFP CFPF FCFP:XPF;Kz:AOA;MTn:MZN;' +
  'DH Dh Dhs:MAD AED;DT:TND;DA:DZD;KD:KWD;BD:BHD;JD:JOD;QR:QAR;SR:SAR SCR;؋:AFN;' +
  'ریال ريال:IRR SAR QAR YER OMR;تومان:IRR;روپے:PKR;ج.م:EGP;ر.س:SAR;د.إ:AED;د.م:MAD;د.ك:KWD;د.ج:DZD;' +
  'د.ت:TND;د.ع:IQD;د.أ:JOD;ل.ل:LBP;ر.ق:QAR;ر.ع:OMR;د.ب:BHD;ر.ي:YER;د.ل:LYD;ج.س:SDG;ل.س:SYP';

/**
 * Letters that stand before an amount only: behind it, `500K` are thousands and `5 L` litres. With a space, because `E5`
 * is no amount; Intl writes one too.
 */
const wordsBefore = 'K_:MMK ZMW PGK;P_:BWP;Q:GTQ;L_:HNL MDL;G_:HTG;D_:GMD;E_:SZL;S_:SOS';

type Words = ReadonlyMap<string, readonly string[]>;

function wordMap(lines: string): Words {
  return new Map(
    lines.split(';').flatMap((line) => {
      const [names = '', codes = ''] = line.split(':');
      return names.split(' ').map((name) => [name.replace('_', ' '), codes.split(' ')] as const);
    }),
  );
}

const [either, before] = [wordMap(words), wordMap(wordsBefore)];

/** A sign with letters of the country: CA$, $US, CN¥. */
const lettersAndSign = String.raw`[A-Z]{1,3}[$£¥]|[$£¥] ?[A-Z]{2}(?![A-Z])`;

function pattern(...maps: readonly Words[]): string {
  const names = maps.flatMap((map) => [...map.keys()]).toSorted((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replaceAll(/[$./]/g, String.raw`\$&`)).join('|');
  const codes = [...currencyCodes].join('|');
  return String.raw`${lettersAndSign}|(?:${escaped})(?:(?<=[\p{L}\p{M}/])\.)?|${codes}|\p{Sc}`;
}

/** Patterns of the words before an amount and of those behind it, for expressions with the flag `u`. */
export const currencyBefore = pattern(before, either);
export const currencyAfter = pattern(either);

/** The currencies that a word or sign may mean; undefined for a sign that the table does not have. */
export function currenciesOf(written: string): readonly string[] | undefined {
  const word = written.replace(/\.$/, '');
  const known = either.get(word) ?? before.get(word);
  if (known !== undefined) return known;
  if (currencyCodes.has(word)) return [word];
  const [, sign] = /^[A-Z ]*([$£¥])[A-Z ]*$/.exec(word) ?? [];
  if (sign === undefined) return undefined;
  const all = either.get(sign) ?? [];
  const country = word.replaceAll(/[ $£¥]/g, '');
  const ofCountry = all.filter((code) => code.startsWith(country));
  return ofCountry.length > 0 ? ofCountry : all;
}
