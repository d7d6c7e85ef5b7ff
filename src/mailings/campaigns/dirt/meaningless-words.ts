/** Words that people and programs write into a cell without a value. */

/** Each line is a language. A word counts only as the whole cell. */
const words = `
n/a · n.a. · n. a. · #n/a · not available · not applicable · none · none given · no name · noname · no data · not set · not provided · not specified · unspecified · unknown · unkown · undefined · null · (null) · <null> · [null] · \\n · nan · NaN · (blank) · (empty) · blank · empty · tbd · tba · tbc · to be determined · missing · anonymous · deleted · redacted · no answer · test · test test · testing · tester · test user · testuser · dummy · placeholder · foo · bar · foobar · asdf · asdfasdf · asdfgh · qwerty · qwertz · abc123 · xx · xxx · xxxx · xyz · lorem ipsum · first name · last name · firstname · lastname · your name · [object Object] · 0000-00-00 · 00.00.0000 · 00/00/0000 · 0000-00-00 00:00:00
k.a. · k.A. · k. a. · k. A. · k.a · keine angabe · keine Angabe · keine · n.v. · nicht verfügbar · nicht vorhanden · nicht bekannt · unbekannt · leer · ohne · ohne angabe · ohne Angabe · fehlt · vorname · nachname
n.c. · n.d. · n.r. · non renseigné · non renseignée · non communiqué · non disponible · inconnu · inconnue · aucun · aucune · sans · sans nom · vide · prénom · nom
sin dato · sin datos · s/d · s/n · sin nombre · no disponible · no aplica · desconocido · desconocida · ninguno · ninguna · vacío
non specificato · non disponibile · sconosciuto · nessuno · nessuna · vuoto · sem dados · sem nome · não informado · nao informado · não disponível · desconhecido · nenhum · vazio · n/d
onbekend · geen · niet bekend · niet beschikbaar · niet ingevuld · n.v.t. · nvt · leeg
brak · brak danych · nie dotyczy · nieznany · nieznane · pusty · neuvedeno · neznámý · není · neuvedené · nincs · nincs adat · ismeretlen · necunoscut · fără · lipsă · nema · nepoznato
okänd · saknas · ej angivet · ukendt · ikke oplyst · ukjent · ikke oppgitt · mangler · tuntematon · ei tietoa · ei ole · puuttuu
нет · нет данных · не указано · не указан · не указана · неизвестно · н/д · отсутствует · пусто · тест · немає · невідомо · няма · неизвестен
άγνωστο · δεν υπάρχει · bilinmiyor · yok · boş · belirtilmemiş · غير معروف · لا يوجد · غير متوفر · לא ידוע · אין · ללא
無し · なし · 無 · 不明 · 未設定 · 未入力 · 未記入 · 該当なし · テスト · 无 · 暂无 · 未知 · 未填写 · 测试 · 不详 · 不詳 · 没有 · 沒有 · 暫無 · 없음 · 미정 · 미상 · 알수없음 · 알 수 없음 · 해당없음 · 테스트
không có · không rõ · tidak ada · tidak diketahui · ไม่มี · ไม่ระบุ · ไม่ทราบ · अज्ञात · उपलब्ध नहीं`;

/** Each word in the cases that people write: `n/a`, `N/A`, `Not available`, `Not Available`. */
const known: ReadonlyMap<string, string> = new Map(
  words
    .split(/[\n·]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .flatMap((word) =>
      [
        word,
        word.toUpperCase(),
        word.charAt(0).toUpperCase() + word.slice(1),
        word.replaceAll(/(?<=^| )\p{Ll}/gu, (letter) => letter.toUpperCase()),
      ].map((written): [string, string] => [written, word]),
    ),
);

/** Names of people in other cases than these: Nil, Na, Sin. */
const exact: ReadonlySet<string> = new Set([
  'NA',
  'NIL',
  'nil',
  'N\\A',
  'na',
  'SIN',
  'ND',
  'NC',
  'KA',
  'NONE',
]);

/** First names of people, as people write them. */
const firstNames: ReadonlySet<string> = new Set(['Nan', 'Sans']);

/** Family names of people, as people write them. */
const familyNames: ReadonlySet<string> = new Set(
  'Null Test Tester None Blank Empty Foo Bar Ohne Leer Brak Geen Nema Yok Keine Nom Abc Dummy Tba Xyz Vide'.split(
    ' ',
  ),
);

/** Signs in place of a word: `-`, `--`, `.`, `...`, `?`, `_`, `/`, `–`, `*`, `0` in place of a name. */
const signs = /^(?:[-–—_./*?!~#+:;,…・．。、]|\s)+$/u;

const letterFirst = /^[\p{L}\p{N}]/u;

const lengthMax = 24;

/**
 * The word that means nothing which a text is, in lower case, or the first of its signs; undefined for any other.
 * `canBeName` says that people are called `Null`. Takes a text without space at its ends.
 */
export function meaninglessWord(text: string, canBeName: boolean): string | undefined {
  if (text.length > lengthMax || text === '') return undefined;
  if (!letterFirst.test(text) && signs.test(text))
    return /^\?{2,}$/.test(text) ? undefined : text.charAt(0);
  if (firstNames.has(text)) return undefined;
  if (exact.has(text)) return text.toLowerCase();
  if (canBeName && familyNames.has(text)) return undefined;
  return known.get(text);
}
