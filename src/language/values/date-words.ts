/** Words of values: those of dates as English and digits, by the names of the Unicode CLDR, and those of currencies. */
import { dateNames } from './date-names.ts';
import { plainDigits } from './plain-digits.ts';
import { zoneNames } from './zoned-time.ts';

const englishMonths = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** English names of months by other names; an empty text is the name of a weekday. */
type Names = ReadonlyMap<string, string | undefined>;
const namesByLanguage = new Map<string, Names>();
let namesOfAll: Names | undefined;

/** A word in small letters without points, and without the marks that capitals often lack. */
function wordKey(word: string): string {
  return word
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f.'’׳]/g, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ');
}

/** The names of a language of the table, with or without a region; none for another language. */
function namesOf(lang: string): Names {
  const language = lang.toLowerCase().split('-')[0] ?? '';
  const known = namesByLanguage.get(language);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  if (!Object.hasOwn(dateNames, language)) return names;
  const [months = '', weekdays = ''] = dateNames[language] ?? [];
  for (const weekday of weekdays.split(' ')) names.set(wordKey(weekday), '');
  for (const [index, month] of months.split(' ').entries()) {
    for (const name of month.split('/')) names.set(wordKey(name), englishMonths[index] ?? '');
  }
  namesByLanguage.set(language, names);
  return names;
}

/** The English name of a month, '' for a weekday; undefined for other words, and for a name of several months. */
function englishName(word: string, lang: string | undefined): string | undefined {
  const ofLanguage = lang === undefined ? undefined : namesOf(lang).get(word);
  if (ofLanguage !== undefined) return ofLanguage;
  namesOfAll ??= namesOfLanguages();
  return namesOfAll.get(word);
}

/** Names that languages give to different months, such as listopad, have no value. */
function namesOfLanguages(): Names {
  const all = new Map<string, string | undefined>();
  for (const language of Object.keys(dateNames)) {
    for (const [name, month] of namesOf(language)) {
      const other = all.get(name);
      // A weekday of one language may be a month of another: mar is Tuesday in French and March in Spanish.
      const isSame = !all.has(name) || other === month || other === '';
      if (isSame || month !== '') all.set(name, isSame ? month : undefined);
    }
  }
  return all;
}

/** A word, or letters with a point behind each: พ.ย. */
const wordPattern = /(?:\p{L}\p{M}*\.){2,}|\p{L}(?:[\p{L}\p{M}'’׳]|\p{Join_Control})*\.?/gu;

/** Words between the parts of a date and of a time, which mean nothing by themselves. */
const fillers: ReadonlySet<string> = new Set(
  (
    'r ч о م alle ore ora kell kello lúc thg uur เวลา น คศ de del d di den der the of le la el al a à às as las um uhr klo kl om at o ob u v в г года году р року г. ' +
    'm gada feira թ año ano ngày tháng năm pukul jam ที่ วันที่ พศ คศ ال الساعة بتاريخ ساعت को बजे'
  )
    .split(' ')
    .map(wordKey),
);

/** Words of the English forms, which stay as they are. */
const keptWords = /^(?:[ap]m|t|st|nd|rd|th)$/;
/** Names of zones stay too, but Awst is August in Welsh. */
const zoneWords = new RegExp(`^(?:${zoneNames})$`);

/** Words for the halves of a day. */
interface Meridiems {
  am: string;
  pm: string;
}

/** Words for the time before noon and after it, of the Unicode CLDR. Letters with points may have spaces between them. */
const meridiems: Meridiems = {
  am: 'a.m. π.μ. ص ق.ظ. öö 上午 午前 凌晨 早上 清晨 오전 f.h. ap. dop. дп p.d. priešpiet priekšp. vm. vorm. पूर्वाह्न පෙ.ව. နံနက် pg ጥዋት ກ່ອນທ່ຽງ ү.ө. тң gh পূৰ্বাহ্ন претпл.',
  pm: 'p.m. ch μ.μ. م ب.ظ. ös 下午 午後 晚上 傍晚 中午 오후 e.h. ip. odp. pop. пп m.d. popiet pēcp. nm. nachm. अपराह्न ප.ව. ညနေ ptg ከሰዓት ຫຼັງທ່ຽງ ү.х. тк gd অপৰাহ্ন попл.',
};

/** Words that mean the time of day in one language alone: in others they are names of weekdays, or words between. */
const localMeridiems: Readonly<Record<string, Meridiems>> = {
  hu: { am: 'de.', pm: 'du.' },
  sv: { am: 'fm', pm: 'em' },
  vi: { am: 'sa', pm: 'ch' },
};

/** Expressions for the words of a language behind a time and before it. */
type MeridiemPatterns = readonly (readonly [half: string, behind: RegExp, before: RegExp])[];
const patternsByLanguage = new Map<string, MeridiemPatterns>();

function meridiemPatterns(lang: string | undefined): MeridiemPatterns {
  const [language = ''] = (lang ?? '').toLowerCase().split('-');
  const extra = Object.hasOwn(localMeridiems, language) ? localMeridiems[language] : undefined;
  const key = extra === undefined ? '' : language;
  let patterns = patternsByLanguage.get(key);
  if (patterns === undefined) {
    patterns = (['am', 'pm'] as const).map((half) => {
      const words = `${meridiems[half]} ${extra?.[half] ?? ''}`.trim().split(' ');
      const either = words
        .map((word) =>
          word.replaceAll(/\.(?!$)/g, String.raw`\.?\s?`).replace(/\.$/, String.raw`\.?`),
        )
        .join('|');
      return [
        half,
        new RegExp(String.raw`(?<=[:.]\d{2}\s?)(?:${either})(?![\p{L}\p{M}\d])`, 'u'),
        new RegExp(
          String.raw`(?<![\p{L}\p{M}])(?:${either})\s*(\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)(?![.\d])`,
          'u',
        ),
      ] as const;
    });
    patternsByLanguage.set(key, patterns);
  }
  return patterns;
}

/** Writes the words for the halves of a day as `am` and `pm` behind the time. */
function withEnglishHalves(text: string, lang: string | undefined): string {
  let plain = text;
  for (const [half, behind, before] of meridiemPatterns(lang)) {
    plain = plain.replace(behind, ` ${half}`).replace(before, `$1 ${half}`);
  }
  return plain;
}

/** Signs after the digits of China, Japan and Korea, with the mark that replaces each. */
const markedDay = /(\d{1,4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号號]/;
const markedTime = /(\d{1,2})\s*[時时点點시]\s*(?:(\d{1,2})\s*[分분])?(?:\s*(\d{1,2})\s*[秒초])?/;
/** Eras of Japan and of Taiwan with the year before their first. */
const eras: Readonly<Record<string, number>> = {
  令和: 2018,
  平成: 1988,
  昭和: 1925,
  大正: 1911,
  明治: 1867,
  民國: 1911,
  民国: 1911,
};
const yearOfEra = new RegExp(String.raw`(${Object.keys(eras).join('|')})\s*(元|\d{1,3})\s*年`);
/** Weekdays of China, Japan and Korea, with or without brackets. */
const markedWeekday =
  /[(（]?\s*(?:(?:星期|周|週)?[日月火水木金土一二三四五六天](?:曜日|曜)?|[월화수목금토일](?:요일)?)\s*[)）]|(?:[日月火水木金土]曜日|星期[日一二三四五六天]|[월화수목금토일]요일)/g;

/** Years before 1700 are of another calendar where people write such ones, and Thailand counts from 543 BC. */
const otherCalendars = /^(?:ar|fa|ps|ur|ckb|uz-arab)\b/i;
const arabicScript = /\p{Script=Arabic}/u;
const thaiScript = /\p{Script=Thai}/u;

/**
 * Returns a date with English names of months, digits of ASCII, and without names of weekdays and words between;
 * undefined for a year of another calendar. A word that it does not know stays. Linear time for a bounded text.
 */
export function plainDate(text: string, lang: string | undefined): string | undefined {
  let plain = plainDigits(text).replaceAll(/\p{Zs}/gu, ' ');
  plain = plain
    .replaceAll('،', ',')
    .replaceAll('／', '/')
    .replaceAll('：', ':')
    .replaceAll('．', '.');
  plain = plain.replace(yearOfEra, (_, era: string, year: string) => {
    return `${(eras[era] ?? 0) + (year === '元' ? 1 : Number(year))}年`;
  });
  plain = plain
    .replace(markedDay, '$1-$2-$3 ')
    .replace(
      markedTime,
      (_, hour: string, minute = '00', second = '') =>
        ` ${hour}:${String(minute).padStart(2, '0')}${second === '' ? '' : `:${String(second).padStart(2, '0')}`}`,
    )
    .replaceAll(markedWeekday, ' ');
  plain = plain.replace(
    /(?<=[\s,]\d{1,2})\s?h\s?(\d{2})?(?:\s?min)?$/,
    (_, minute = '00') => `:${minute}`,
  );
  if (/[\p{L}\p{M}]/u.test(plain)) plain = plainWords(withEnglishHalves(plain, lang), lang);
  plain = inOurEra(plain, lang, text) ?? '';
  return plain === ''
    ? undefined
    : plain
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ (?=[,.])/g, '')
        .replace(/^[\s,.-]+/, '')
        .replace(/[\s,.]+$/, '');
}

/** Prefixes that mean "in" or "of" in Hebrew and Catalan. */
const prefix = /^(?:ב|d)(?=.{3})/;
/** Ordinals: 1er, 1º, 27η. */
const ordinal = /(?<=\d)(?:er|re|ère|e|η|ος|º|ª|°|:e)(?=[\s,])/g;

const behindTime = /[:.]\d{2}\s?$/;

function plainWords(text: string, lang: string | undefined): string {
  const withoutOrdinals = text.replaceAll(ordinal, '');
  return withoutOrdinals.replaceAll(wordPattern, (word, at: number) => {
    const key = wordKey(word);
    if (keptWords.test(key)) return word;
    // Behind a time, a letter may mean the afternoon or a military zone, and SA the morning of Vietnam.
    const isBehindTime = behindTime.test(withoutOrdinals.slice(Math.max(0, at - 5), at));
    if (isBehindTime && /^[a-gi-z]$/.test(key)) return word;
    if (isBehindTime && key === 'sa' && !namesOf(lang ?? '').has(key)) return word;
    if (fillers.has(key)) return '';
    const name = englishName(key, lang) ?? englishName(key.replace(prefix, ''), lang);
    return name !== undefined && (name !== '' || !zoneWords.test(key)) ? name : word;
  });
}

/** Converts the year of Thailand; undefined for a year of another calendar. */
function inOurEra(plain: string, lang: string | undefined, written: string): string | undefined {
  const [year] = /(?<!\d)\d{4}(?!\d)/.exec(plain) ?? [];
  if (year === undefined) return plain;
  const isThai = /^th\b/i.test(lang ?? '') || thaiScript.test(written);
  if (isThai && Number(year) > 2400) return plain.replace(year, String(Number(year) - 543));
  const isOther = otherCalendars.test(lang ?? '') || arabicScript.test(written);
  return isOther && Number(year) < 1700 ? undefined : plain;
}

// Currencies.

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

/** The words beside amounts, and behind a line feed those that stand before an amount only. */
export function currencyWords(): string {
  return `${words}\n${wordsBefore}`;
}
