/** How likely cells are in an encoding: what its letters spell, and in which languages. */
import type { ListEncoding } from './text-encodings.ts';
import { languageModel, wordLetters } from './word-letters.ts';

/** A run of letters, or a sign beyond ASCII with what stands beside it. */
type Piece = { word: string } | { sign: string; before: string; after: string; count: number };

const isLetter = /[\p{L}\p{M}]/u;
const isAscii = /^[\u0000-\u007f]*$/; // oxlint-disable-line no-control-regex -- all of ASCII

/** Languages of words in ASCII, which stand in files of every language. */
const asciiLanguages = ['en', 'de', 'pl'];
/** What a word costs more in a list of another language. */
const foreignWordLog = -1;
/** Of units and initials, at least: `kg`, `C`. */
const shortWordLog = -4;

/** Logarithms of the probabilities of signs beside letters, digits and spaces. */
const signLogs: Readonly<Record<string, number>> = {
  '’': -4,
  '\u00a0': -5,
  '\u3000': -5,
  '–': -5.5,
  '‘': -6,
  '“': -6,
  '”': -6,
  '„': -6,
  '€': -6,
  '´': -6,
  º: -6,
  ª: -6,
  '—': -6.5,
  '…': -6.5,
  '°': -6.5,
  '・': -6.5,
  '£': -7,
  '«': -7,
  '»': -7,
  '·': -7,
  '®': -7,
  '™': -7,
  '§': -7,
  '²': -7.5,
  '•': -7,
  '¡': -7,
  '¿': -7,
  '№': -7,
  '、': -7,
  '。': -7,
  '（': -7,
  '）': -7,
  '½': -8,
  '©': -7.5,
  '₺': -8,
  // Encodings had it where the euro sign came later, and nobody writes it.
  '¤': -25,
};
const otherSignLog = -11;

/** What other signs between letters, before a word and behind one cost more. */
const insideLog = -10;
/** Of an apostrophe inside a word: the two words that it makes of one cost enough. */
const apostropheLog = 0;
const leadingLog = -6;
const trailingLog = -5;

/** Signs that stand freely, between letters, before a word, or behind one. */
const freeSigns = '\u00a0\u3000、。・（）';
const insideSigns = '’·´‘–';
const leadingSigns = '’‘“„«¡¿–·€£';
const trailingSigns = '’”»…–®™ºª²€°·';

/** Penalties of letters whose case is odd: `JosŽ`, `MUñOZ`, `éric`, and `OíNeill` or `ÑZitat`. */
const capitalInsideLog = -6;
const smallInsideLog = -3;
const smallFirstLog = -1.5;
const capitalBehindLog = -5;
/** A letter that stands alone or behind a number is rather a sign of a currency. */
const unitLetterLog = -10;
/** How often a sign counts in tokens that differ in digits alone, such as prices. */
const signCountMax = 5;

/** Rounds in which the shares of the languages follow the words. */
const shareRounds = 4;
/** Words that each language has before any is seen. */
const priorWords = 0.3;

/** Cells cut into pieces, each distinct word once, because a name that occurs often says no more than once. */
export function piecesOf(cells: readonly string[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const [index, cell] of cells.entries()) {
    for (const token of cell.normalize('NFC').split(/[ \t]+/)) {
      // Lost letters look alike in different words.
      const key = token.includes('\uFFFD') ? String(index) : token.replaceAll(/\d+/g, '0');
      addPieces(pieces, token, key);
    }
  }
  return [...pieces.values()];
}

/** `key` is the same for tokens that say the same. */
function addPieces(pieces: Map<string, Piece>, token: string, key: string): void {
  const characters = Array.from(token);
  let word = '';
  const addWord = (): void => {
    if (word !== '') pieces.set(word, { word });
    word = '';
  };
  for (const [index, character] of characters.entries()) {
    const isSign = isUnit(characters, index) || /[ºª]/.test(character);
    if (isLetter.test(character) && !isSign) {
      word += character;
      continue;
    }
    addWord();
    if (isAscii.test(character)) continue;
    const [before, after] = [kindOf(characters[index - 1]), kindOf(characters[index + 1])];
    const known = pieces.get(`${key} ${index}`);
    const count = known !== undefined && 'sign' in known ? known.count + 1 : 1;
    const counted = Math.min(count, signCountMax);
    pieces.set(`${key} ${index}`, { sign: character, before, after, count: counted });
  }
  addWord();
}

/** Whether a character stands alone, before a number or behind one, as a sign of a currency does, and a letter rarely. */
function isUnit(characters: readonly string[], index: number): boolean {
  if (isAscii.test(characters[index] ?? '')) return false;
  const [before, after] = [kindOf(characters[index - 1]), kindOf(characters[index + 1])];
  return after === 'end'
    ? before === 'end' || before === 'digit'
    : before === 'end' && after === 'digit';
}

function kindOf(character: string | undefined): string {
  if (character === undefined) return 'end';
  if (isLetter.test(character)) return 'letter';
  return /\d/.test(character) ? 'digit' : 'other';
}

/** The logarithm of the probability of signs and capitals, without what the words spell: cheap, and never too low. */
export function scoreSigns(
  pieces: readonly Piece[],
  { frequency, lostLog }: Pick<ListEncoding, 'frequency' | 'lostLog'>,
): number {
  let score = Math.log(frequency);
  for (const piece of pieces) {
    if ('word' in piece) score += knownWord(piece.word).caseLog;
    else score += piece.count * (isLost(piece.sign) ? lostLog : signLog(piece));
  }
  return score;
}

/**
 * The logarithm of the probability of the pieces, from that of their signs; undefined as soon as it is certain to be below
 * `floor`.
 */
export function scorePieces(
  pieces: readonly Piece[],
  { languages }: Pick<ListEncoding, 'languages'>,
  signs: number,
  floor: number,
): number | undefined {
  let score = signs;
  // Each word in the language in which it is likeliest: the words together are no likelier.
  let most = 0;
  const words: number[][] = [];
  for (const piece of pieces) {
    if ('sign' in piece) continue;
    if (isAscii.test(piece.word)) score += asciiWordLog(piece.word);
    else {
      const logs = wordLogs(piece.word, languages);
      words.push(logs);
      most += Math.max(...logs);
    }
    if (score + most < floor) return undefined;
  }
  return score + mixtureLog(words, languages.length);
}

/** The logarithm of the probability of words, each of which has one of the languages. Their shares follow the words. */
function mixtureLog(words: readonly (readonly number[])[], languageCount: number): number {
  const shares = new Float64Array(languageCount).fill(1 / languageCount);
  const parts = new Float64Array(languageCount);
  let sum = 0;
  for (let round = 0; round < shareRounds; round += 1) {
    const seen = new Float64Array(languageCount).fill(priorWords / languageCount);
    sum = 0;
    for (const logs of words) {
      const most = Math.max(...logs);
      let whole = 0;
      for (let at = 0; at < languageCount; at += 1)
        whole += parts[at] = (shares[at] ?? 0) * Math.exp((logs[at] ?? 0) - most);
      sum += most + Math.log(whole);
      for (let at = 0; at < languageCount; at += 1)
        seen[at] = (seen[at] ?? 0) + (parts[at] ?? 0) / whole;
    }
    // The shares of one word would say nothing but that its language is its language.
    if (words.length < 2) break;
    const total = words.length + priorWords;
    for (let at = 0; at < languageCount; at += 1) shares[at] = (seen[at] ?? 0) / total;
  }
  return sum;
}

/** Whether a character is a control or none at all. */
function isLost(sign: string): boolean {
  return /[\uFFFD\p{Cc}\p{Co}\p{Cn}]/u.test(sign);
}

function signLog({ sign, before, after }: Extract<Piece, { sign: string }>): number {
  if (isLetter.test(sign) && !/[ºª]/.test(sign)) return unitLetterLog;
  const log = signLogs[sign] ?? otherSignLog;
  if (freeSigns.includes(sign)) return log;
  if (sign === '’' && before === 'letter' && after === 'letter') return apostropheLog;
  if (before === 'letter' && after === 'letter')
    return insideSigns.includes(sign) ? log : log + insideLog;
  if (after === 'letter') return leadingSigns.includes(sign) ? log : log + leadingLog;
  return before !== 'letter' || trailingSigns.includes(sign) ? log : log + trailingLog;
}

/** The logarithms of the probabilities of a word in the languages that were asked for. */
interface KnownWord {
  letters: readonly string[];
  caseLog: number;
  logs: Map<string, number>;
}

const knownWords = new Map<string, KnownWord>();
/** Upper bound of the remembered words: those of one list in all encodings. */
const knownMax = 20_000;

function asciiWordLog(word: string): number {
  const log = Math.max(...wordLogs(word, asciiLanguages)) + foreignWordLog;
  return word.length <= 2 ? Math.max(log, shortWordLog) : log;
}

function wordLogs(word: string, languages: readonly string[]): number[] {
  const { letters, logs } = knownWord(word);
  return languages.map((language) => {
    let log = logs.get(language);
    if (log === undefined)
      logs.set(language, (log = languageModel(language).logProbability(letters)));
    return log;
  });
}

function knownWord(word: string): KnownWord {
  let known = knownWords.get(word);
  if (known === undefined) {
    if (knownWords.size >= knownMax) knownWords.clear();
    known = { letters: wordLetters(word), caseLog: caseLog(word), logs: new Map() };
    knownWords.set(word, known);
  }
  return known;
}

function caseLog(word: string): number {
  let log = 0;
  let [hasSmall, capitals] = [false, 0];
  const letters = Array.from(word);
  for (const [index, letter] of letters.entries()) {
    const isCapital = letter !== letter.toLowerCase();
    const isSmall = letter !== letter.toUpperCase();
    if (letter > '\u007f') {
      if (isCapital && hasSmall) log += capitalInsideLog;
      if (isSmall && !hasSmall && capitals >= 2) log += smallInsideLog;
      if (isSmall && index === 0) log += smallFirstLog;
      const [next = '', afterNext = ''] = letters.slice(index + 1, index + 3);
      if (/[A-Z]/.test(next) && (isSmall || (index === 0 && /[a-z]/.test(afterNext))))
        log += capitalBehindLog;
    }
    hasSmall ||= isSmall;
    if (isCapital) capitals += 1;
  }
  return log;
}
