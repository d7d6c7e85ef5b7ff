/** Joins the folded lines of a vCard file, and drops properties that are not read. */
import { formatCount, tooLarge } from '../list.ts';
import { listLimits } from '../list-limits.ts';

/** A logical line while it is collected. The text of one that is not read stays as it starts. */
interface LogicalLine {
  text: string;
  line: number;
  isRead: boolean;
  /** Its line breaks are escaped (quoted-printable), and not folded. */
  isQuoted: boolean;
}

/** The name of a property without its group, and what must follow it. */
const propertyName = /^(?:[\w-]+\.)?([\w-]+)(?=[;:])/;

/** UTF-16 units that are kept of a line that is not read: more than a name has. */
const keptUnits = 256;

export class Unfolder {
  readonly #isRead: (name: string) => boolean;
  readonly #handle: (text: string, line: number) => void;
  #rest = '';
  #line = 0;
  #current: LogicalLine | undefined;
  /** vCard 2.1 folds at white space, which stays. */
  #keepsSpace = false;

  /** `isRead` decides by the name in upper case. `handle` gets the lines that are read, and those without a name. */
  constructor(isRead: (name: string) => boolean, handle: (text: string, line: number) => void) {
    this.#isRead = isRead;
    this.#handle = handle;
  }

  push(text: string): void {
    const joined = this.#rest + text;
    // A CR at the end may be half of a line break.
    const end = joined.endsWith('\r') ? joined.length - 1 : joined.length;
    const lines = joined.slice(0, end).split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    this.#rest = this.#shorten(rest) + joined.slice(end);
  }

  end(): void {
    if (this.#rest !== '') this.#take(this.#rest.replace(/\r$/, ''));
    this.#flush();
  }

  #take(physical: string): void {
    this.#line += 1;
    const current = this.#current;
    if (current !== undefined && this.#continues(current, physical)) {
      if (current.isRead) this.#append(current, physical);
      return;
    }
    this.#flush();
    if (physical.trim() === '') return;
    this.#current = { line: this.#line, ...this.#start(physical) };
    this.#checkLength(this.#current);
  }

  #start(text: string): Omit<LogicalLine, 'line'> {
    const name = propertyName.exec(text)?.[1]?.toUpperCase();
    if (name === 'BEGIN') this.#keepsSpace = false;
    if (name === 'VERSION') this.#keepsSpace = /:\s*2\.1/.test(text);
    const isRead = name === undefined || this.#isRead(name);
    return { text, isRead, isQuoted: /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE\b/i.test(text) };
  }

  #continues({ text, isRead, isQuoted }: LogicalLine, physical: string): boolean {
    if (isQuoted && text.endsWith('=')) return true;
    if (/^[ \t]/.test(physical)) return true;
    // Some programs do not indent the lines of a photo.
    return !isRead && physical !== '' && !propertyName.test(physical);
  }

  #append(current: LogicalLine, physical: string): void {
    if (current.isQuoted && current.text.endsWith('=')) {
      current.text = current.text.slice(0, -1) + physical;
    } else {
      current.text += this.#keepsSpace ? physical : physical.slice(1);
    }
    this.#checkLength(current);
  }

  #flush(): void {
    const current = this.#current;
    this.#current = undefined;
    if (current?.isRead === true) this.#handle(current.text, current.line);
  }

  /** Shortens the unfinished line of a property that is not read. */
  #shorten(rest: string): string {
    if (rest.length <= listLimits.rowCharactersMax) return rest;
    const isFolded = /^[ \t]/.test(rest);
    const isRead = isFolded ? this.#current?.isRead !== false : this.#start(rest).isRead;
    if (!isRead) return rest.slice(0, keptUnits);
    throw longLine(this.#line + 1);
  }

  #checkLength({ text, line, isRead }: LogicalLine): void {
    if (isRead && text.length > listLimits.rowCharactersMax) throw longLine(line);
  }
}

function longLine(line: number): Error {
  return tooLarge(
    `The property on line ${formatCount(line)} of the vCard file has more than ${formatCount(listLimits.rowCharactersMax)} characters, the limit of a row. Leave it out.`,
  );
}
