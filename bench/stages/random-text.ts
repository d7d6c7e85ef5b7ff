/** Creates new text from a seed, so that no cache of words improves a measurement. */

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Letters with about their frequencies in English. */
const englishLetters =
  'eeeeeeetttttaaaaaoooooiiiiinnnnnssssshhhhrrrrddddlllluuuccmmwwffggyyppbbvkjxqz';

/** Returns words of 3 to 9 letters, `length` characters in total. */
export function randomText(random: () => number, length: number, letters = englishLetters): string {
  const alphabet = Array.from(letters);
  let text = '';
  let left = 0;
  while (text.length < length) {
    if (left === 0) {
      if (text !== '') text += ' ';
      left = 3 + Math.floor(random() * 7);
    }
    text += alphabet[Math.floor(random() * alphabet.length)] ?? '';
    left -= 1;
  }
  return text.slice(0, length);
}
