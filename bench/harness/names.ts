/** 2,000 full names in ten scripts, 4 to 40 letters: the texts that personalised images show. */
import { createRandom } from '../stages/random-text.ts';

interface NameParts {
  given: readonly string[];
  family: readonly string[];
  /** The family name comes first, with `separator` between the parts. */
  isFamilyFirst?: boolean;
  separator?: string;
}

const namesPerScript = 200;
/** Every tenth person has two given names or two family names. */
const longEvery = 10;

// oxfmt-ignore
const scripts: Readonly<Record<string, NameParts>> = {
  latin: {
    given: words('Amanda José Zoë Nguyễn Oluwaseun Małgorzata Björn Siobhán François Anneliese Giovanni Maximiliano Alexandra Þórunn Ava Li Christopher Guadalupe İbrahim Katarzyna'),
    family: words('Okafor García-Márquez Müller Wiśniewski Johansson O’Connor Lefèvre van-den-Berg Szczepański Featherstonehaugh Ng Silva Papadopoulos Yılmaz Horváth Smith Nováková Đorđević Ibáñez Rossi'),
  },
  cyrillic: {
    given: words('Анна Александр Екатерина Владислав Ольга Дмитрий Світлана Богдан Людмила Константин Зоя Пётр Наталья Вячеслав Ирина Юлия Милица Стоян Айгүл Нұрлан'),
    family: words('Иванова Шевченко Рождественский Ким Кузнецова Мельник Петровић Васильева Достоевский Георгиев Цой Абдрахманов Соловьёва Щербакова Бондаренко Лебедев Димитрова Жуков Ковалевська Фёдоров'),
  },
  greek: {
    given: words('Μαρία Γιώργος Ελένη Κωνσταντίνος Αικατερίνη Δημήτρης Σοφία Νίκος Χριστίνα Αλέξανδρος Ιωάννα Θεόδωρος Άννα Ευάγγελος Βασιλική Παναγιώτης Ζωή Σπύρος Δέσποινα Μιχάλης'),
    family: words('Παπαδοπούλου Γεωργίου Οικονόμου Νικολαΐδης Καραμανλής Βλάχος Αντωνίου Χατζηδάκη Μακρής Παπακωνσταντίνου Ρήγα Δημητριάδη Αγγελόπουλος Σταθάκη Κόκκινος Ζαχαρίου Τσιρίμωκος Λάμπρου Φωτίου Ξενάκης'),
  },
  arabic: {
    given: words('محمد فاطمة عبدالرحمن ليلى يوسف خديجة إبراهيم نور مصطفى عائشة خالد زينب عمر سلمى حسين مريم طارق هدى أحمد ياسمين'),
    family: words('الأنصاري حسن القحطاني المصري البغدادي الشريف النجار العلي بنجلون الحسيني منصور التميمي الزهراني حداد السباعي خوري الهاشمي عبدالعزيز درويش الكردي'),
  },
  hebrew: {
    given: words('נועה דוד יעל אברהם שירה משה תמר יצחק רחל אליהו מיכל יונתן הדס שמעון אסתר דניאל רבקה איתן מרים עומר'),
    family: words('כהן לוי מזרחי פרידמן אברמוביץ ביטון שפירא אזולאי רוזנברג דהן פרץ גולדשטיין חדד קפלן אוחיון וייס בן־דוד שטרן גבאי קליין'),
  },
  devanagari: {
    given: words('प्रिया अर्जुन लक्ष्मी विक्रम अनन्या राजेश श्रेया कृष्ण मीनाक्षी सिद्धार्थ गीता आदित्य सुनीता महेश ऐश्वर्या रवि ज्योत्स्ना हर्ष दुर्गा ओम'),
    family: words('शर्मा पटेल गुप्ता चतुर्वेदी सिंह मुखर्जी अय्यर कुलकर्णी मिश्रा देशपांडे वर्मा श्रीवास्तव जोशी त्रिपाठी नायर चौधरी रेड्डी भट्टाचार्य यादव झा'),
  },
  thai: {
    given: words('สมชาย สุดารัตน์ กิตติศักดิ์ พิมพ์ชนก อนุชา วราภรณ์ ณัฐวุฒิ มาลี ธนากร ศิริพร ประเสริฐ กัญญา ชัยวัฒน์ นภัสสร เอกชัย อรทัย ภูมิ จันทร์เพ็ญ วิชัย ปาริชาต'),
    family: words('ใจดี ศรีสุวรรณ วงศ์สวัสดิ์ ทองคำ แสงจันทร์ บุญมี รัตนากร พงษ์พานิช สุขสวัสดิ์ จันทร์โอชา อินทร์แก้ว ชัยชนะ มณีรัตน์ เจริญผล สายทอง ปัญญาดี วัฒนานนท์ เพชรรัตน์ คงเจริญ ชินวัตร'),
  },
  chinese: {
    given: words('美玲 志强 若曦 建国 雨桐 子涵 晓明 思远 欣怡 浩然 佳慧 俊杰 淑芬 家豪 雅婷 宗翰 梓萱 宇航 丽华 伟民'),
    family: words('欧阳 司马 上官 诸葛 皇甫 令狐 慕容 东方 独孤 夏侯 张简 范姜 陈黄 李王 周吴 林郑 歐陽 司徒 端木 公孙'),
    isFamilyFirst: true,
    separator: '',
  },
  japanese: {
    given: words('花子 太郎 さくら 健一郎 美咲 翔太 優子 大輔 ひなた 直樹 結衣 龍之介 陽菜 和夫 あかり 誠司 千代子 蓮太 由美子 隼人'),
    family: words('佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 長谷川 小林 佐々木 斎藤 五十嵐 勅使河原 大久保 中村 加藤 吉田 髙田 西園寺 武者小路'),
    isFamilyFirst: true,
    separator: '',
  },
  korean: {
    given: words('서연 민준 지우 하은 도윤 예린 현우 수빈 지훈 은서 승현 가을 하늘 미르 영숙 동현 슬기 준호 나래 보람'),
    family: words('남궁 황보 제갈 사공 선우 독고 김 이 박 최 정 강 조 윤 장 임 한 오 서 신'),
    isFamilyFirst: true,
  },
};

/** Every name once; the scripts alternate, so that any part of the list holds all of them. */
export const fullNames: readonly string[] = Array.from({ length: namesPerScript }, (_, number) =>
  Object.values(scripts).map((parts) => nameOfScript(parts, number)),
).flat();

/** Letters that may replace one another: of one case, and in Thai and Devanagari only consonants. */
const letterClasses = [
  /^\p{Lu}$/u,
  /^\p{Ll}$/u,
  /^[\u0E01-\u0E2E]$/u,
  /^[\u0915-\u0939]$/u,
  /^(?![\u0900-\u097F\u0E00-\u0E7F])\p{Lo}$/u,
] as const;

/** The letters of each script, by class. */
const alphabets = Object.keys(scripts).map((_, script, { length }) => {
  const names = fullNames.filter((_name, index) => index % length === script);
  const letters = [...new Set(names.join(''))];
  return new Map(
    letterClasses.map((pattern) => [pattern, letters.filter((each) => pattern.test(each))]),
  );
});

const uniqueNames = [...fullNames];
const known = new Set(fullNames);

/**
 * Returns a name that no other number has, the same for the same number. The first 2,000 are the list; each later name
 * is one of the list with up to two letters replaced by others of its script, so that its length stays.
 */
export function nameOf(number: number): string {
  while (uniqueNames.length <= number) {
    const name = changedName(uniqueNames.length);
    uniqueNames.push(name);
    known.add(name);
  }
  return uniqueNames[number] ?? '';
}

function changedName(number: number): string {
  const random = createRandom(number);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const listed = number % fullNames.length;
  const alphabet = alphabets[listed % alphabets.length];
  const letters = Array.from(fullNames[listed] ?? '');
  const replaceable = letters.flatMap((letter, index) => {
    const pattern = letterClasses.find((each) => each.test(letter));
    return pattern === undefined ? [] : [{ index, choices: alphabet?.get(pattern) ?? [] }];
  });
  for (;;) {
    const changed = [...letters];
    for (const letter of [pick(replaceable), pick(replaceable)]) {
      if (letter !== undefined) changed[letter.index] = pick(letter.choices) ?? '';
    }
    const name = changed.join('');
    if (!known.has(name)) return name;
  }
}

function nameOfScript(parts: NameParts, number: number): string {
  const { given, family, isFamilyFirst = false, separator = ' ' } = parts;
  const round = Math.floor(number / given.length);
  const givenName = [given[number % given.length] ?? ''];
  const house = [family[(number + round) % family.length] ?? ''];
  if (number % longEvery === longEvery - 1) {
    const longer = round % 2 === 0 ? givenName : house;
    const from = round % 2 === 0 ? given : family;
    longer.push(from[(number * 7 + round + 3) % from.length] ?? '');
  }
  const all = isFamilyFirst ? [...house, ...givenName] : [...givenName, ...house];
  return all.join(separator).replaceAll('van-den-', 'van den ');
}

function words(text: string): string[] {
  return text.split(' ');
}
