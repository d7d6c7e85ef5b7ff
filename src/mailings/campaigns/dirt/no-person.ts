/** Finds what stands in place of the name of a person: a form of address, a word for anybody, a company. */
import type { Dirt } from './dirt.ts';

/** The kind of name that a column has. */
export type NameKind = 'first' | 'last' | 'full';

/** A longer text is none of these. */
const lengthMax = 200;

const titles =
  'mr|mrs|ms|mx|miss|dr|prof|herr|herrn|frau|fräulein|hr|monsieur|madame|mademoiselle|mme|mlle|señor|señora|señorita|sr|sra|srta|signor|signora|sig|dott|dott\\.ssa|ing|senhor|senhora|dhr|mevr|mevrouw|meneer|hra|rouva|fru|pan|pani|г-н|г-жа|господин|госпожа|κύριος|κυρία|bay|bayan';
/** Forms of address without a name: `Mr`, `Herr Dr.`, `Mr & Mrs`. */
const onlyTitles = new RegExp(
  `^(?:${titles})\\.?(?:(?:\\s*[&/+]\\s*|\\s+(?:(?:und|and|et|y|e|en)\\s+)?)(?:${titles})\\.?)*$`,
  'iu',
);
/** Family names of people, as people write them. */
const titleNames: ReadonlySet<string> = new Set([
  'Herr',
  'Pan',
  'Bay',
  'Fru',
  'Sig',
  'Ing',
  'Miss',
]);

/** Words for anybody and notes of programs and clerks, as whole first or full names. */
const anybody: ReadonlySet<string> = new Set(
  `guest · customer · valued customer · dear customer · client · user · subscriber · member · friend · contact · visitor · reader · recipient · someone · nobody · somebody · owner · resident · occupant · the occupier · employee · student · array · object · true · false · yes · no · fname · lname · first_name · last_name · full name · fullname · name · do not mail · do not email · do not contact · do not call · do not use · unsubscribed · duplicate · deceased · inactive · cancelled · canceled · closed · old
kunde · kundin · gast · nutzer · benutzer · mitglied · abonnent · freund · teilnehmer · empfänger · bewohner · wahr · falsch · verstorben · gesperrt · nicht anschreiben · nicht kontaktieren
cliente · invitado · usuario · suscriptor · amigo · miembro · verdadero · falso · fallecido · ospite · utente · membro · vero · convidado · usuário · assinante
invité · utilisateur · abonné · membre · ami · vrai · faux · décédé
klant · gebruiker · lid · abonnee · waar · onwaar · klient · gość · użytkownik · zákazník · host · uživatel
клиент · гость · пользователь · подписчик · друг · müşteri · misafir · kullanıcı · お客様 · ゲスト · 用户 · 客户 · 客人 · 游客 · 고객 · 손님 · ضيف · عميل · אורח · לקוח`.split(
    /\s*[\n·]\s*/,
  ),
);

/** What companies have at the end of their names. Two capitals beside capitals alone may be a family name: `DE SA`. */
const companyForm =
  /\s(?:gmbh|mbh|ohg|gbr|e\.?\s?v\.|e\.?\s?k\.|ltd|limited|llc|l\.l\.c|llp|inc|incorporated|corp|corporation|plc|s\.a|s\.a\.s|sas|sarl|s\.a\.r\.l|eurl|srl|s\.r\.l|spa|s\.p\.a|b\.v|n\.v|oyj|aps|a\/s|sp\. z o\.\s?o|s\.r\.o|kft|d\.o\.o|pty|pvt|co\. kg)\.?$/iu;
const shortCompanyForm = /\p{Ll}.*\s(?:AG|KG|UG|SE|SA|AB|AS|OY|NV|BV|KK|SL)$/u;
const japaneseCompany = /株式会社|有限会社|有限公司|주식회사|^(?:ООО|ОАО|ЗАО|ПАО)\s/u;

/** Whether a name ends as those of companies do. */
export function isCompany(text: string): boolean {
  return companyForm.test(text) || shortCompanyForm.test(text) || japaneseCompany.test(text);
}

/** What stands in a column of names and is no person; undefined for anything else. A family name may be such a word. */
export function noPersonDirt(text: string, kind: NameKind): Dirt | undefined {
  const what = whatIsNoPerson(text, kind);
  return what === undefined ? undefined : { code: 'NOT_A_NAME', what };
}

function whatIsNoPerson(text: string, kind: NameKind): string | undefined {
  if (text.length > lengthMax) return undefined;
  if (/^\{.*\}$|^\[.*["\]].*\]$/s.test(text)) {
    return 'is data of a program in place of a name: export the name alone';
  }
  if (onlyTitles.test(text) && !(kind === 'last' && titleNames.has(text))) {
    return 'is a form of address without a name: write the name, or empty the cell';
  }
  if (kind !== 'last' && anybody.has(text.toLowerCase())) {
    return 'is a word for anybody, or a note, in place of a name: write the name, or empty the cell';
  }
  // A column of whole names may have those of companies.
  if (kind !== 'full' && isCompany(text)) {
    return 'is the name of a company in place of a person: write the name of a person, or empty the cell';
  }
  return undefined;
}
