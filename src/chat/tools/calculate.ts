/** Maximum characters of an expression, which bounds the recursion. */
const LONGEST = 1000;

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  abs: Math.abs,
  round: Math.round,
  floor: Math.floor,
  ceil: Math.ceil,
  exp: Math.exp,
  ln: Math.log,
  log: Math.log10,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  min: Math.min,
  max: Math.max,
};

/** Words and the operators they mean, because small models copy the words of the question. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdivided by\b|÷/gi, '/'],
  [/\b(multiplied by|times)\b|(?<=[\d)]\s*)x(?=\s*[\d(])|×|·/gi, '*'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b|−/gi, '-'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/\b(percent|per cent)\b/gi, '%'],
];

/**
 * Evaluates an arithmetic expression such as `2 * (3 + 4)^2`: `+ - * / % ^` (also `× · ÷ − **`, `x` between numbers,
 * and English words), parentheses, decimal numbers with exponents, `pi`, `e`, and the functions above. `min` and `max`
 * take several values, separated by commas. `%` after a number means hundredths if no operand follows, else the
 * remainder.
 * @throws Error that names the syntax error, or says that the value is not a finite number.
 */
export function calculate(expression: string): number {
  if (expression.length > LONGEST) throw new Error(`The expression has more than ${LONGEST} characters.`);
  const parser = new Parser(WORDS.reduce((text, [word, symbol]) => text.replaceAll(word, symbol), expression));
  const value = parser.sum();
  parser.end();
  if (!Number.isFinite(value)) throw new Error('The result is not a number that can be written.');
  // Hides binary rounding errors: 0.1 + 0.2 gives 0.3.
  return Number(value.toPrecision(15));
}

/** A recursive descent parser: one method per rule, from lowest to highest precedence. */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    if (this.#peek() !== '') throw this.#unexpected();
  }

  sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value += this.#product();
      else if (this.#take('-')) value -= this.#product();
      else return value;
    }
  }

  #product(): number {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*')) value *= this.#signed();
      else if (this.#take('/')) value /= this.#signed();
      else if (this.#take('%')) {
        if (/^[\d.(a-z]/i.test(this.#peek())) value %= this.#signed();
        else value /= 100;
      } else return value;
    }
  }

  #signed(): number {
    if (this.#take('-')) return -this.#signed();
    if (this.#take('+')) return this.#signed();
    const base = this.#single();
    // Right-associative: 2^3^2 is 2^9. The exponent may have a sign.
    return this.#take('^') ? base ** this.#signed() : base;
  }

  #single(): number {
    if (this.#take('(')) return this.#closed(this.sum());
    const number = this.#match(/^(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?/i);
    if (number !== '') return Number(number);
    const name = this.#match(/^[a-z][a-z0-9]*/i).toLowerCase();
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name]!;
    if (!Object.hasOwn(FUNCTIONS, name) || !this.#take('(')) throw this.#unexpected(name);
    const values = [this.sum()];
    while (this.#take(',')) values.push(this.sum());
    if (values.length > 1 && name !== 'min' && name !== 'max') throw new Error(`${name} takes one value.`);
    return this.#closed(FUNCTIONS[name]!(...values));
  }

  #closed(value: number): number {
    if (!this.#take(')')) throw this.#unexpected();
    return value;
  }

  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
    return this.#text[this.#at] ?? '';
  }

  #take(symbol: string): boolean {
    if (this.#peek() !== symbol) return false;
    this.#at++;
    return true;
  }

  #match(form: RegExp): string {
    this.#peek();
    const [found = ''] = form.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += found.length;
    return found;
  }

  #unexpected(name = ''): Error {
    if (name !== '') return new Error(`There is no constant, and no function with parentheses, called "${name}".`);
    if (this.#peek() === '') return new Error('The expression ends too soon.');
    // Takes a whole character, even one of two UTF-16 units. `JSON.stringify` escapes control characters.
    const [found = ''] = this.#text.slice(this.#at);
    return new Error(`${JSON.stringify(found)} cannot stand at place ${this.#at + 1}.`);
  }
}
