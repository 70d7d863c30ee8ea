import {
  ANY_CHARACTER,
  characterSet,
  complement,
  includes,
  type CharacterSet,
} from '../regular-language/character-set.ts';
import { checkGivenGrammar, GrammarProblem } from './check-given-grammar.ts';
import { choice, repeat, rule, sequence, text, type Expression, type Grammar } from './grammar.ts';

/** Limit of nested groups, because the parser is recursive. */
const MAX_LEVELS = 50;
const MAX_CHARACTERS = 100_000;

const TOKENS =
  /(?<blank>(?:\s|#[^\n]*)+)|"(?<literal>(?:\\.|[^"\\\n])*)"|\[(?<members>(?:\\.|[^\]\\])*)\]|(?<assign>::=)|(?<name>[a-zA-Z_][\w-]*)|\{\s*(?<min>\d+)\s*(?:(?<comma>,)\s*(?<max>\d*)\s*)?\}|(?<quantifier>[*+?])|(?<sign>[()|.])|[^]/guy;

type Groups = Readonly<Record<string, string | undefined>>;

type TokenMeaning =
  | { readonly kind: 'text' | 'class'; readonly inner: string }
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number }
  | { readonly kind: 'assign' | 'name' | 'sign' | 'other' };

type Token = TokenMeaning & { readonly line: number; readonly text: string };

interface Character {
  readonly character: string;
  readonly escaped: boolean;
}

/**
 * Reads a grammar in GBNF, llama.cpp's notation, which the EBNF of xgrammar shares: rules `name ::= …`, where `root` is
 * the whole answer; texts, character classes, `.`, groups, alternatives, and the quantifiers `* + ? {m,n}`. A rule may
 * continue on the next lines without a group. Not supported: llama.cpp's tokens (`<think>`), xgrammar's lookaheads and
 * tags.
 * @throws GrammarProblem for a grammar that is invalid, never ends or is too large.
 */
export function parseGbnf(source: string): Grammar {
  if (source.length > MAX_CHARACTERS) {
    throw new GrammarProblem(`has more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters; shorten it`);
  }
  if (!source.includes('::=')) {
    throw new GrammarProblem(
      'has no rule; write rules as `root ::= …`, in GBNF. Lark and other notations are not read',
    );
  }
  return checkGivenGrammar({ root: 'root', rules: new GbnfParser(source).rules() });
}

class GbnfParser {
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
  }

  rules(): ReadonlyMap<string, Expression> {
    const rules = new Map<string, Expression>();
    while (this.#place < this.#tokens.length) {
      const name = this.#next();
      if (name.kind !== 'name' || !this.#skips('::=')) refuse(name, 'where a rule `name ::= …` must begin');
      if (rules.has(name.text)) refuse(name, 'a second time; give each rule a name of its own');
      rules.set(name.text, this.#alternatives(0));
      const after = this.#peek();
      if (after !== undefined && !this.#startsRule()) refuse(after, 'where a rule must end');
    }
    return rules;
  }

  #alternatives(depth: number): Expression {
    const options = [this.#items(depth)];
    while (this.#skips('|')) options.push(this.#items(depth));
    return choice(...options);
  }

  #items(depth: number): Expression {
    const parts: Expression[] = [];
    for (let token = this.#peek(); token !== undefined && !this.#startsRule(); token = this.#peek()) {
      if (token.kind === 'sign' && (token.text === '|' || token.text === ')')) break;
      parts.push(this.#item(depth));
    }
    return sequence(...parts);
  }

  #item(depth: number): Expression {
    let part = this.#atom(depth);
    for (let token = this.#peek(); token?.kind === 'repeat'; token = this.#peek()) {
      if (token.max < token.min) refuse(token, 'whose end is before its start');
      part = repeat(part, token.min, token.max);
      this.#place++;
    }
    return part;
  }

  #atom(depth: number): Expression {
    const token = this.#next();
    switch (token.kind) {
      case 'text':
        return text(
          charactersIn(token)
            .map(({ character }) => character)
            .join(''),
        );
      case 'class':
        return { kind: 'set', set: classOf(token) };
      case 'name':
        return rule(token.text);
      default:
        if (token.text === '.') return { kind: 'set', set: complement(characterSet([[10, 10]])) };
        if (token.text !== '(') refuse(token, 'which is not understood here');
        if (depth === MAX_LEVELS) refuse(token, `more than ${MAX_LEVELS} levels deep; make rules of the inner groups`);
        return this.#group(token, depth + 1);
    }
  }

  #group(open: Token, depth: number): Expression {
    const inner = this.#alternatives(depth);
    if (!this.#skips(')')) refuse(open, 'without its `)`');
    return inner;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#place];
  }

  #next(): Token {
    return this.#tokens[this.#place++]!;
  }

  #skips(text: string): boolean {
    const found = this.#peek()?.text === text;
    if (found) this.#place++;
    return found;
  }

  #startsRule(): boolean {
    return this.#tokens[this.#place + 1]?.kind === 'assign';
  }
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const { 0: whole, groups = {} } of source.matchAll(TOKENS)) {
    if (groups['blank'] === undefined) tokens.push({ line, text: whole, ...tokenOf(groups) });
    line += whole.split('\n').length - 1;
  }
  return tokens;
}

function tokenOf({ literal, members, assign, name, min, comma, max, quantifier, sign }: Groups): TokenMeaning {
  if (literal !== undefined) return { kind: 'text', inner: literal };
  if (members !== undefined) return { kind: 'class', inner: members };
  if (assign !== undefined) return { kind: 'assign' };
  if (name !== undefined) return { kind: 'name' };
  if (quantifier !== undefined) return QUANTIFIERS[quantifier as keyof typeof QUANTIFIERS];
  if (min === undefined) return { kind: sign === undefined ? 'other' : 'sign' };
  const limit = max === '' ? Infinity : Number(max);
  return { kind: 'repeat', min: Number(min), max: comma === undefined ? Number(min) : limit };
}

const QUANTIFIERS = {
  '*': { kind: 'repeat', min: 0, max: Infinity },
  '+': { kind: 'repeat', min: 1, max: Infinity },
  '?': { kind: 'repeat', min: 0, max: 1 },
} as const;

const CHARACTERS = /\\x([\da-fA-F]{2})|\\u([\da-fA-F]{4})|\\U([\da-fA-F]{8})|\\([^])|([^])/gu;

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the characters of a quoted text or a character class. */
function charactersIn(token: Token & { readonly inner: string }): readonly Character[] {
  return Array.from(token.inner.matchAll(CHARACTERS), ([written, ...codes]) => {
    const [escaped, plain] = codes.slice(3);
    if (plain !== undefined) return { character: plain, escaped: false };
    if (escaped !== undefined) {
      if (/[a-zA-Z\d]/u.test(escaped) && !(escaped in CONTROLS))
        refuse(token, `with \`${written}\`, which is no escape`);
      return { character: CONTROLS[escaped] ?? escaped, escaped: true };
    }
    const code = Number.parseInt(
      codes.find((digits) => digits !== undefined)!,
      16,
    );
    if (!includes(ANY_CHARACTER, code)) refuse(token, `with \`${written}\`, which is no character`);
    return { character: String.fromCodePoint(code), escaped: true };
  });
}

function classOf(token: Token & { readonly inner: string }): CharacterSet {
  const members = [...charactersIn(token)];
  const isSign = (index: number, sign: string) => members[index]?.character === sign && !members[index].escaped;
  const excludes = isSign(0, '^');
  if (excludes) members.shift();
  const ranges: [number, number][] = [];
  for (let index = 0; index < members.length; index++) {
    const from = members[index]!.character.codePointAt(0)!;
    const hasEnd = isSign(index + 1, '-') && index + 2 < members.length;
    const to = hasEnd ? members[index + 2]!.character.codePointAt(0)! : from;
    if (to < from) refuse(token, 'with a range whose end is before its start');
    ranges.push([from, to]);
    if (hasEnd) index += 2;
  }
  const set = excludes ? complement(characterSet(ranges)) : characterSet(ranges);
  if (set.length === 0) refuse(token, 'which no character matches');
  return set;
}

function refuse({ line, text }: Token, problem: string): never {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  throw new GrammarProblem(`has \`${shown}\` in line ${line} ${problem}`);
}
