/** Maximum characters of an expression. It also limits the recursion of the parser. */
const MAX_LENGTH = 1000;

/** Results with more digits are refused. */
const MAX_DIGITS = 1000;

/** Whole numbers are exact, with any number of digits. */
type Value = bigint | number;

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

/** Functions that return integers for integers. */
const WHOLE_FUNCTIONS: Readonly<Record<string, (...values: bigint[]) => bigint>> = {
  abs: (value) => (value < 0n ? -value : value),
  round: (value) => value,
  floor: (value) => value,
  ceil: (value) => value,
  min: (...values) => values.reduce((one, other) => (one < other ? one : other)),
  max: (...values) => values.reduce((one, other) => (one > other ? one : other)),
};

/** Functions that take several values. Inside them a comma separates values and never groups digits. */
const LISTS: readonly string[] = ['min', 'max'];

/** Words and the operators they mean, because small models copy the words of the question. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdivided by\b|[÷∕]/gi, '/'],
  // `0x10` is no product, but 16 in another notation.
  [/\b(multiplied by|times)\b|(?<=[\d)]\s*)(?<!(?<![\d.,])0)x(?=\s*[\d(])|[×·⋅∙∗]/gi, '*'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b|[−–]/gi, '-'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/\b(percent|per cent)\b/gi, '%'],
  [/(?<=%\s*)of\b/gi, '*'],
];

/**
 * Evaluates an arithmetic expression such as `2 * (3 + 4)^2`: `+ - * / % ^` (also `× · ÷ − **`, `x` between numbers,
 * English words such as `15% of 80`, and the full-width characters of Chinese and Japanese), parentheses, decimal numbers with
 * exponents and commas between thousands, in the digits of most scripts, `pi`, `e`, and the functions above. `min` and
 * `max` take several values, separated by commas. `%` after a number means hundredths if no
 * operand follows, else the remainder.
 * @returns The value in decimal digits: exact if all steps are whole numbers, else with 15 significant digits.
 * @throws Error that names the syntax error, or says that the value is not a finite number.
 */
export function calculate(expression: string): string {
  if (expression.length > MAX_LENGTH) throw new Error(`The expression has more than ${MAX_LENGTH} characters.`);
  const halfWidth = expression.replace(/[！-～]/g, toHalfWidth).replace(/\p{Nd}/gu, asciiDigit);
  const inAscii = halfWidth.replaceAll('٫', '.').replaceAll('٬', ',');
  const parser = new Parser(WORDS.reduce((text, [word, symbol]) => text.replaceAll(word, symbol), inAscii));
  const value = parser.sum();
  parser.end();
  if (typeof value === 'bigint') return value.toString();
  if (!Number.isFinite(value)) throw new Error('The result is not a number that can be written.');
  // Hides binary rounding errors: 0.1 + 0.2 gives 0.3. A large value has an exponent, so that it does not look exact.
  const rounded = Number(value.toPrecision(15));
  return Math.abs(rounded) < 1e15 ? String(rounded) : rounded.toExponential();
}

/** Returns the ASCII character of a full-width one, as Chinese and Japanese texts have them. */
function toHalfWidth(fullWidth: string): string {
  return String.fromCharCode(fullWidth.charCodeAt(0) - 0xfee0);
}

/** Returns the ASCII digit of one of another script, whose ten digits begin at a code point that ends with 0 or 6. */
function asciiDigit(digit: string): string {
  // Few scripts, and the styled digits of formulas, are beyond the basic plane, where this rule has exceptions.
  if (digit.length > 1) return digit;
  const code = digit.charCodeAt(0);
  const first = /\p{Nd}/u.test(String.fromCharCode(code & ~15)) ? 0 : 6;
  return String((code & 15) - first);
}

/** Operators for integers. Null: the result is no integer. */
const WHOLE_OPERATIONS: Readonly<Record<string, (one: bigint, two: bigint) => bigint | null>> = {
  '+': (one, two) => one + two,
  '-': (one, two) => one - two,
  '*': (one, two) => one * two,
  '/': (one, two) => (two !== 0n && one % two === 0n ? one / two : null),
  '%': (one, two) => (two === 0n ? null : one % two),
  '^': power,
};

const OPERATIONS: Readonly<Record<string, (one: number, two: number) => number>> = {
  '+': (one, two) => one + two,
  '-': (one, two) => one - two,
  '*': (one, two) => one * two,
  '/': (one, two) => one / two,
  '%': (one, two) => one % two,
  '^': (one, two) => one ** two,
};

/** Applies an operator; exact if both values and the result are integers. */
function operate(operator: string, one: Value, two: Value): Value {
  const areWhole = typeof one === 'bigint' && typeof two === 'bigint';
  const exact = areWhole ? WHOLE_OPERATIONS[operator]!(one, two) : null;
  return exact === null ? OPERATIONS[operator]!(Number(one), Number(two)) : bounded(exact);
}

function power(base: bigint, exponent: bigint): bigint | null {
  if (exponent < 0n) return null;
  const digits = String(base < 0n ? -base : base).length;
  // Estimates the number of digits first, because computing the power could take minutes. A factor of 2 adds more than
  // 1/4 digit.
  const least = base * base > 1n ? Math.max(digits - 1, 1 / 4) * Number(exponent) : 0;
  if (least >= MAX_DIGITS) throw tooLong();
  return base ** exponent;
}

function bounded(value: bigint): bigint {
  if (value.toString().length > MAX_DIGITS) throw tooLong();
  return value;
}

function tooLong(): Error {
  return new Error(`The result has more than ${MAX_DIGITS} digits.`);
}

/** Reads digits with an optional fraction and exponent. */
function numberOf(digits: string): Value {
  const [, whole = '', fraction = '', power = '0'] = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(digits) ?? [];
  const zeros = Number(power) - fraction.length;
  const isWhole = zeros >= 0 && zeros <= MAX_DIGITS;
  return isWhole ? BigInt(whole + fraction + '0'.repeat(zeros)) : Number(digits);
}

/** A recursive descent parser with one method per grammar rule, from lowest to highest precedence. */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    if (this.#peek() !== '') throw this.#unexpected();
  }

  /** @param hasCommas Whether commas may group the digits of its numbers. Default: true. */
  sum(hasCommas = true): Value {
    let value = this.#product(hasCommas);
    for (;;) {
      const operator = this.#takeOne('+-');
      if (operator === '') return value;
      value = operate(operator, value, this.#product(hasCommas));
    }
  }

  #product(hasCommas: boolean): Value {
    let value = this.#signed(hasCommas);
    for (;;) {
      const operator = this.#takeOne('*/%');
      if (operator === '') return value;
      const isPercent = operator === '%' && !/^[\d.(a-z]/i.test(this.#peek());
      value = isPercent ? operate('/', value, 100n) : operate(operator, value, this.#signed(hasCommas));
    }
  }

  #signed(hasCommas: boolean): Value {
    if (this.#take('-')) return -this.#signed(hasCommas);
    if (this.#take('+')) return this.#signed(hasCommas);
    const base = this.#single(hasCommas);
    // Right-associative: 2^3^2 is 2^9. The exponent may have a sign.
    return this.#take('^') ? operate('^', base, this.#signed(hasCommas)) : base;
  }

  #single(hasCommas: boolean): Value {
    if (this.#take('(')) return this.#closed(this.sum());
    const grouped = this.#match(/^\d{1,3}(,\d{3})+(?![\d,])(\.\d*)?/, hasCommas);
    if (grouped !== '') return numberOf(grouped.replaceAll(',', ''));
    const number = this.#match(/^(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?/i);
    if (number !== '') return numberOf(number);
    const name = this.#match(/^[a-z][a-z0-9]*/i).toLowerCase();
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name]!;
    if (!Object.hasOwn(FUNCTIONS, name) || !this.#take('(')) throw this.#unexpected(name);
    const isList = LISTS.includes(name);
    const values = [this.sum(!isList)];
    while (this.#take(',')) {
      if (isList && /^0\d\d/.test(this.#text.slice(this.#at)))
        throw new Error(`Write the values of ${name} without commas in numbers: 1000, not 1,000.`);
      values.push(this.sum(!isList));
    }
    if (values.length > 1 && !isList) throw new Error(`${name} takes one value.`);
    const whole = values.every((value) => typeof value === 'bigint') ? WHOLE_FUNCTIONS[name] : undefined;
    return this.#closed(whole ? whole(...(values as bigint[])) : FUNCTIONS[name]!(...values.map(Number)));
  }

  #closed(value: Value): Value {
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

  /** Reads one of several characters; returns an empty text if none of them follows. */
  #takeOne(symbols: string): string {
    const symbol = this.#peek();
    return symbol !== '' && symbols.includes(symbol) && this.#take(symbol) ? symbol : '';
  }

  #match(form: RegExp, isAllowed = true): string {
    this.#peek();
    if (!isAllowed) return '';
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
