/** Tells which scripts a font can write, by the letters that its character map has. */
import type { ScriptSample } from '#wire/font-facts.ts';
import type { Coverage } from './font-coverage.ts';
import { covers } from './font-coverage.ts';

/** Letters of everyday text in each script, those that fonts of another script lack among them; they are the sample, too. */
const scriptLetters: readonly (readonly [script: string, letters: string])[] = [
  ['Latin', 'AaBbGgQqRrÄäÉéÑñØøß'],
  ['Latin Extended', 'ĄąĆćĐđĞğŁłŐőŘřŠšŻż'],
  ['Vietnamese', 'ẠạẢảẤấƠơƯưỲỳ'],
  ['Greek', 'ΑαΒβΓγΘθΛλΨψΩω'],
  ['Cyrillic', 'АаБбЖжДдЩщЫыЯя'],
  ['Armenian', 'ԱաԲբԳգՀհ'],
  ['Georgian', 'აბგდევზ'],
  ['Hebrew', 'אבגדהלםמשת'],
  ['Arabic', 'ابتثجحسشعغقكلمنهوي'],
  ['Devanagari', 'अआइकखगतनमयरलसह'],
  ['Bengali', 'অআইকখগতনমযরলসহ'],
  ['Gurmukhi', 'ਅਆਇਕਖਗਤਨਮਰਲਸਹ'],
  ['Gujarati', 'અઆઇકખગતનમરલસહ'],
  ['Tamil', 'அஆஇகஙசதநமரலவ'],
  ['Telugu', 'అఆఇకఖగతనమరలసహ'],
  ['Kannada', 'ಅಆಇಕಖಗತನಮರಲಸಹ'],
  ['Malayalam', 'അആഇകഖഗതനമരലസഹ'],
  ['Sinhala', 'අආඉකගතනමරලසහ'],
  ['Thai', 'กขคงจชตนมรลสอ'],
  ['Lao', 'ກຂຄງຈຊຕນມລສອ'],
  ['Khmer', 'កខគងចឆតនមរលស'],
  ['Myanmar', 'ကခဂငစဆတနမရလသ'],
  ['Ethiopic', 'ሀለመሠረሰቀበ'],
  ['Hiragana', 'あいうかさたなはまん'],
  ['Katakana', 'アイウカサタナハマン'],
  ['Hangul', '가나다라마한글'],
  ['Han', '一人大中国水火山日月'],
  ['Emoji', '😀🎉🚀🌍🐶'],
];

/** The scripts of which a font has every letter that is asked for, in the order of this list. */
export function coveredScripts(coverage: Coverage): ScriptSample[] {
  return scriptLetters
    .filter(([, letters]) =>
      Array.from(letters).every((letter) => covers(coverage, letter.codePointAt(0) ?? 0)),
    )
    .map(([script, letters]) => ({ script, sample: letters }));
}
