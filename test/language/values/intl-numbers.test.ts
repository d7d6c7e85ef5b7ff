import t from 'tap';
import { dateNames } from '#language/values/date-names.ts';
import { decimalSign } from '#language/values/decimal-signs.ts';
import { readNumber, writtenCurrencies } from '#language/values/read-number.ts';

const amounts = [0, 0.25, 12, 1234, 1234.5, -1234.5, 12_345_678.25];

/** Languages with the currency of their country. */
const currencies =
  'ar-EG EGP,ar-SA SAR,ar-AE AED,ar-MA MAD,ar-KW KWD,ar-DZ DZD,ar-TN TND,ar-IQ IQD,ar-JO JOD,ar-LB LBP,ar-QA QAR,' +
  'ar-OM OMR,ar-BH BHD,ar-YE YER,ar-LY LYD,ar-SD SDG,ar-SY SYP,mk MKD,sq ALL,uz UZS,ne NPR,si LKR,my MMK,sw KES,' +
  'sw-TZ TZS,am ETB,en-ZA ZAR,en-KE KES,en-NG NGN,en-GH GHS,en-PK PKR,en-UG UGX,en-ZM ZMW,en-BW BWP,en-PH PHP,' +
  'en-SG SGD,en-HK HKD,en-AU AUD,en-NZ NZD,en-CA CAD,en-IN INR,en-LK LKR,en-JM JMD,en-MU MUR,en-SC SCR,en-SZ SZL,' +
  'af ZAR,zu ZAR,sr RSD,bs BAM,hr EUR,bg BGN,ro RON,ro-MD MDL,hu HUF,pl PLN,cs CZK,ru RUB,be BYN,uk UAH,kk KZT,' +
  'ky KGS,tg TJS,tk TMT,mn MNT,ka GEL,hy AMD,az AZN,tr TRY,he ILS,fa IRR,ps AFN,ur PKR,hi INR,bn BDT,bn-IN INR,' +
  'th THB,lo LAK,km KHR,vi VND,id IDR,ms MYR,ms-BN BND,fil PHP,ja JPY,ko KRW,zh CNY,zh-TW TWD,zh-HK HKD,de-CH CHF,' +
  'fr-CH CHF,de EUR,de-AT EUR,nl EUR,fi EUR,lt EUR,da DKK,nb NOK,sv SEK,is ISK,es EUR,es-MX MXN,es-AR ARS,es-CL CLP,' +
  'es-CO COP,es-PE PEN,es-UY UYU,es-PY PYG,es-BO BOB,es-VE VES,es-CR CRC,es-GT GTQ,es-HN HNL,es-NI NIO,es-PA PAB,' +
  'es-DO DOP,es-CU CUP,es-US USD,pt-BR BRL,pt-AO AOA,pt-MZ MZN,pt-PT EUR,pt-CV CVE,fr EUR,fr-CA CAD,fr-SN XOF,' +
  'fr-CM XAF,fr-MA MAD,fr-TN TND,fr-DZ DZD,fr-CD CDF,fr-MG MGA,fr-HT HTG,rw RWF,so SOS,en USD,en-GB GBP';

/** The number that a formatter shows, with as many decimals, as programs write it. */
function shown(amount: number, { resolvedOptions }: { resolvedOptions: () => object }): string {
  const { maximumFractionDigits: decimals = 0 } = resolvedOptions() as Intl.NumberFormatOptions;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { ...digits, useGrouping: false }).format(amount);
}

t.test('a language reads the amounts that Intl writes in it, with their currency', async (t) => {
  for (const pair of currencies.split(',')) {
    const [lang = '', currency = ''] = pair.split(' ');
    for (const currencyDisplay of ['symbol', 'narrowSymbol', 'code'] as const) {
      const format = new Intl.NumberFormat(lang, { style: 'currency', currency, currencyDisplay });
      const bound = { resolvedOptions: () => format.resolvedOptions() };
      for (const amount of amounts) {
        const text = format.format(amount);
        // A letter behind a number may be a unit: Moldova's leu, and Haiti's gourde.
        if (/\d\s[LG]$/.test(text)) continue;
        const read = readNumber(text, decimalSign(lang));
        t.equal(Number(read), Number(shown(amount, bound)), `${text} in ${lang}`);
        // Intl writes Cape Verde's escudo with an invisible sign.
        const written = writtenCurrencies(text) ?? [currency];
        t.ok(written.includes(currency), `${text} is ${currency}, not ${String(written)}`);
      }
    }
  }
});

t.test('a language reads the numbers that Intl writes in it', async (t) => {
  for (const lang of [
    ...Object.keys(dateNames),
    ...'en en-ZA de-CH fr-CH ar-EG ja zh'.split(' '),
  ]) {
    for (const amount of amounts) {
      const text = new Intl.NumberFormat(lang).format(amount);
      t.equal(Number(readNumber(text, decimalSign(lang))), amount, `${text} in ${lang}`);
    }
  }
});

t.test('a language reads amounts in the currencies of other countries', async (t) => {
  const foreign =
    'USD EUR GBP JPY CNY CAD AUD NZD HKD SGD MXN BRL INR KRW TWD CHF SEK DKK PLN TRY'.split(' ');
  for (const lang of Object.keys(dateNames)) {
    for (const currency of foreign) {
      const format = new Intl.NumberFormat(lang, { style: 'currency', currency });
      const text = format.format(1234.5);
      const amount = Number(shown(1234.5, { resolvedOptions: () => format.resolvedOptions() }));
      const isRead = Number(readNumber(text, decimalSign(lang))) === amount;
      t.ok(
        isRead && (writtenCurrencies(text) ?? [currency]).includes(currency),
        `${text} in ${lang}`,
      );
    }
  }
});
