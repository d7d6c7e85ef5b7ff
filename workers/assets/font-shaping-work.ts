/**
 * Bounds the cost of shaping with a font. A lookup compares the text at each glyph with its rules, one after the other,
 * and a shaper cannot be interrupted. The tables determine how many comparisons one glyph can cause (OpenType 1.9,
 * "OpenType Layout Common Table Formats").
 */
import type { FontTables } from './font-tables.ts';
import { FontProblem } from './font-tables.ts';

/**
 * Upper bound of the comparisons of all lookups at one glyph; the maximum of 1,762 real files is 18,874 (Noto Sans
 * Grantha). A comparison takes up to 50 ns in the shaper. A layer has 2,500 characters: as one word, they take 1.8 s to
 * render.
 */
const comparisonsMax = 20_000;
/** Upper bound of the rules read; real files have up to 37,184. Subtables may share rules, so file size is no bound. */
const rulesMax = 500_000;

/** Type numbers of lookups that have rules, and of `extension`, which holds the offset of a lookup of another type. */
interface Kinds {
  context: number;
  chained: number;
  extension: number;
  ligature?: number;
  reverseChained?: number;
}

const substitutions: Kinds = {
  ligature: 4,
  context: 5,
  chained: 6,
  extension: 7,
  reverseChained: 8,
};
const positions: Kinds = { context: 7, chained: 8, extension: 9 };

/** Comparisons of the rules tried at one glyph, and the maximum cost of the lookups that one of these rules applies. */
interface Cost {
  comparisons: number;
  applied: number;
}

/** Throws a `FontProblem` for a font that takes too long to shape text with. */
export function checkShapingWork(tables: FontTables): void {
  const lookups = [
    new LookupCosts(tables.get('GSUB'), substitutions),
    new LookupCosts(tables.get('GPOS'), positions),
  ];
  const comparisons =
    kerningSubtables(tables.get('kern')) +
    lookups.reduce((sum, each) => sum + each.comparisons(), 0);
  if (comparisons > comparisonsMax) {
    throw new FontProblem(
      `has so many rules that shaping is slow: ${Number.isFinite(comparisons) ? comparisons : 'endless'} comparisons ` +
        `with a character, at most ${comparisonsMax} can be drawn`,
    );
  }
}

/** Returns the subtables of a `kern` table: Microsoft's version 0, or Apple's version 1 with longer counts. */
function kerningSubtables(view: DataView | undefined): number {
  if (view === undefined) return 0;
  return view.getUint16(0) === 0 ? view.getUint16(2) : view.getUint32(4);
}

/** The lookups of one table. */
class LookupCosts {
  readonly #view: DataView;
  readonly #kinds: Kinds;
  readonly #offsets: readonly number[];
  readonly #costs = new Map<number, number>();
  #rulesLeft = rulesMax;

  constructor(view: DataView | undefined, kinds: Kinds) {
    this.#view = view ?? new DataView(new ArrayBuffer(10));
    this.#kinds = kinds;
    const list = this.#view.getUint16(8);
    this.#offsets = list === 0 ? [] : this.#offsetsAt(list, list);
  }

  /** Returns an upper bound of the comparisons that all lookups make at one glyph. */
  comparisons(): number {
    let sum = 0;
    for (let index = 0; index < this.#offsets.length; index += 1) sum += this.#lookup(index);
    return sum;
  }

  #lookup(index: number): number {
    const known = this.#costs.get(index);
    if (known !== undefined) return known;
    const at = this.#offsets[index];
    if (at === undefined) return 0;
    // A lookup that applies itself has this cost.
    this.#costs.set(index, Infinity);
    const type = this.#view.getUint16(at);
    let [comparisons, applied] = [0, 0];
    for (const subtable of this.#offsetsAt(at + 4, at)) {
      const cost = this.#subtable(type, subtable);
      comparisons += cost.comparisons;
      applied = Math.max(applied, cost.applied);
    }
    this.#costs.set(index, comparisons + applied);
    return comparisons + applied;
  }

  #subtable(type: number, at: number): Cost {
    const format = this.#view.getUint16(at);
    const kinds = this.#kinds;
    if (type === kinds.extension) {
      const actual = this.#view.getUint16(at + 2);
      if (actual === kinds.extension) throw new FontProblem('is damaged: a lookup has no kind');
      return this.#subtable(actual, at + this.#view.getUint32(at + 4));
    }
    if (type === kinds.ligature) return this.#sets(at, at + 4, (rule) => this.#ligature(rule));
    if (type === kinds.reverseChained) return this.#reverseChained(at);
    if (type === kinds.context) {
      if (format === 3) return this.#context(at + 2, 0);
      return this.#sets(at, at + (format === 2 ? 6 : 4), (rule) => this.#context(rule, 1));
    }
    if (type === kinds.chained) {
      if (format === 3) return this.#chained(at + 2, 0);
      return this.#sets(at, at + (format === 2 ? 10 : 4), (rule) => this.#chained(rule, 1));
    }
    return { comparisons: this.#countRule(), applied: 0 };
  }

  /**
   * Returns the cost of the most expensive set. The first glyph selects a set, and its rules are tried until one
   * applies.
   */
  #sets(base: number, sets: number, readRule: (at: number) => Cost): Cost {
    const most: Cost = { comparisons: this.#countRule(), applied: 0 };
    for (const set of this.#offsetsAt(sets, base)) {
      if (set === base) continue;
      let comparisons = this.#countRule();
      for (const rule of this.#offsetsAt(set, set)) {
        const cost = readRule(rule);
        comparisons += cost.comparisons;
        most.applied = Math.max(most.applied, cost.applied);
      }
      most.comparisons = Math.max(most.comparisons, comparisons);
    }
    return most;
  }

  #ligature(at: number): Cost {
    return { comparisons: this.#countRule() + this.#view.getUint16(at + 2), applied: 0 };
  }

  /** A rule of a set leaves out its first glyph, which chose the set: `omitted` is 1. */
  #context(at: number, omitted: 0 | 1): Cost {
    const glyphs = this.#view.getUint16(at);
    const records = at + 4 + Math.max(0, glyphs - omitted) * 2;
    return {
      comparisons: this.#countRule() + glyphs,
      applied: this.#applied(records, this.#view.getUint16(at + 2)),
    };
  }

  #chained(at: number, omitted: 0 | 1): Cost {
    const before = this.#view.getUint16(at);
    const sequence = at + 2 + before * 2;
    const glyphs = this.#view.getUint16(sequence);
    const lookahead = sequence + 2 + Math.max(0, glyphs - omitted) * 2;
    const after = this.#view.getUint16(lookahead);
    const records = lookahead + 2 + after * 2;
    return {
      comparisons: this.#countRule() + before + glyphs + after,
      applied: this.#applied(records + 2, this.#view.getUint16(records)),
    };
  }

  #reverseChained(at: number): Cost {
    const before = this.#view.getUint16(at + 4);
    const after = this.#view.getUint16(at + 6 + before * 2);
    return { comparisons: this.#countRule() + before + after, applied: 0 };
  }

  /** Returns the cost of the lookups that a rule applies; their records begin at `records`. */
  #applied(records: number, count: number): number {
    let cost = 0;
    for (let record = 0; record < count; record += 1) {
      cost += this.#lookup(this.#view.getUint16(records + record * 4 + 2));
    }
    return cost;
  }

  /** Counts the rule against `rulesMax`. Returns 1, the comparison for the rule itself. */
  #countRule(): 1 {
    this.#rulesLeft -= 1;
    if (this.#rulesLeft < 0) {
      throw new FontProblem(`has more than ${rulesMax} rules of its letters, the limit`);
    }
    return 1;
  }

  /** Reads a count and as many 16-bit offsets from `base`. */
  #offsetsAt(at: number, base: number): number[] {
    return Array.from(
      { length: this.#view.getUint16(at) },
      (_, index) => base + this.#view.getUint16(at + 2 + index * 2),
    );
  }
}
