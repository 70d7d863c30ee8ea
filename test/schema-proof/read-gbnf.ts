import { characterSet, type CharacterSet } from '../../src/engine-worker/grammar/regular-language/character-set.ts';
import {
  choice,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
  type Grammar,
} from '../../src/engine-worker/grammar/expressions/grammar.ts';

const CHARACTER = String.raw`(?:\\x\w{2}|\\u\w{4}|\\U\w{8}|[^"\\\]])`;
const TOKENS = new RegExp(
  String.raw`"(${CHARACTER}*)"|\[((?:${CHARACTER})*)\]|\{(\d+)(?:(,)(\d*))?\}|([*+?])|([()|])|([a-zA-Z\d-]+)`,
  'gu',
);

/** Parses the part of GBNF that the printer uses by llama.cpp's rules, to sample texts from the printed grammar. */
export function readGbnf(source: string): Grammar {
  const lines = source.trimEnd().split('\n');
  const rules = lines.map((line) => {
    const [, name = '', body = ''] = /^([a-zA-Z\d-]+) ::= (.*)$/.exec(line) ?? [];
    if (name === '' || body.replaceAll(TOKENS, '').trim() !== '') throw new Error(`Not GBNF: ${line}`);
    return [name, expressionOf([...body.matchAll(TOKENS)])] as const;
  });
  return { root: 'root', rules: new Map(rules) };
}

function expressionOf(tokens: RegExpExecArray[]): Expression {
  const options: Expression[][] = [[]];
  for (let token = tokens.shift(); token !== undefined && token[0] !== ')'; token = tokens.shift()) {
    const [, literal, set, min, comma, max, sign, mark, name] = token;
    const parts = options.at(-1)!;
    if (literal !== undefined)
      parts.push(
        text(
          codesOf(literal)
            .map((code) => String.fromCodePoint(code))
            .join(''),
        ),
      );
    else if (set !== undefined) parts.push({ kind: 'set', set: setOf(set) });
    else if (name !== undefined) parts.push(rule(name));
    else if (mark === '(') parts.push(expressionOf(tokens));
    else if (mark === '|') options.push([]);
    else if (sign !== undefined) parts.push(repeat(parts.pop()!, sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity));
    else parts.push(repeat(parts.pop()!, Number(min), comma ? (max === '' ? Infinity : Number(max)) : Number(min)));
  }
  return choice(...options.map((parts) => sequence(...parts)));
}

function codesOf(literal: string): readonly number[] {
  return (literal.match(new RegExp(CHARACTER, 'gu')) ?? []).map((one) =>
    one.startsWith('\\') ? Number.parseInt(one.slice(2), 16) : one.codePointAt(0)!,
  );
}

function setOf(inner: string): CharacterSet {
  const ranges = inner.matchAll(new RegExp(`(${CHARACTER})(?:-(${CHARACTER}))?`, 'gu'));
  return characterSet(Array.from(ranges, ([, from = '', to = from]) => [codesOf(from)[0]!, codesOf(to)[0]!] as const));
}
