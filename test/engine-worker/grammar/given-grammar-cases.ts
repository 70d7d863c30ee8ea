/** Grammars with texts that they allow and texts that they do not. */
export const GIVEN_GRAMMARS: Readonly<Record<string, readonly [source: string, yes: string[], no: string[]]>> = {
  'a text': ['root ::= "yes"', ['yes'], ['', 'ye', 'yess']],
  alternatives: ['root ::= "a" | "b" |', ['a', 'b', ''], ['ab', 'c']],
  'alternatives in several lines, with comments': [
    '# The answer.\nroot ::=\n  # the first\n  "a"\n  | "b" "c" # the second\n\nother ::= "x"\n# end',
    ['a', 'bc'],
    ['ac', 'x'],
  ],
  groups: ['root ::= "a" ("b" | "c" ("d" | "e"))', ['ab', 'acd', 'ace'], ['a', 'ac', 'abd']],
  quantifiers: ['root ::= "a"* "b"+ "c"?', ['b', 'aabbc'], ['', 'aac', 'bcc']],
  'counted repetitions': [
    'root ::= "a"{2} "b"{1,} "c"{0,2} "d"{ 1, 2 }',
    ['aabd', 'aabbccdd'],
    ['abd', 'aabcccd', 'aabddd'],
  ],
  'a quantifier of a quantifier': ['root ::= "a"?* "b"', ['b', 'aaab'], ['a']],
  'a repetition that may be empty': ['root ::= ("a"* "b"?)* "!"', ['!', 'abba!'], ['c!']],
  'classes of characters': [
    String.raw`root ::= [a-c_-] [^a-z\n] [\]\\"^-]`,
    ['a1]', '-A\\', '_é^'],
    ['d1]', 'aa]', 'a\n]'],
  ],
  'characters beyond ASCII': [
    String.raw`root ::= "é漢😀" [à-ÿ] [\u4e00-\u9fff] [\U0001F600-\U0001F64F] "\xe9"`,
    ['é漢😀ü漢😀é'],
    ['é漢😀a漢😀é'],
  ],
  escapes: [String.raw`root ::= "\"\\\n\t\r\x41\u0042" [\x30-\x39]`, ['"\\\n\t\rAB7'], ['"\\nAB7']],
  'any character but a line feed': ['root ::= .+', ['a "é😀'], ['', 'a\nb']],
  'names with signs': ['root ::= a_b a-b A1\na_b ::= "1"\na-b ::= "2"\nA1 ::= "3"', ['123'], ['12', '113']],
  'a rule that nothing uses': ['root ::= "a"\nx ::= "b" x', ['a'], ['b']],
  'an option that never ends': ['root ::= "a" | "b" x\nx ::= "c" x', ['a'], ['b', 'bc']],
  'texts that begin alike': ['root ::= ("," | "ab") "y" | "ab" "z"', [',y', 'aby', 'abz'], [',z']],
  'texts that begin alike, within recursion': [
    'root ::= "(" root ")" ("," | "ab") "y" | "(" root ")" "ab" "z" | "x"',
    ['x', '(x),y', '(x)abz', '((x)abz)aby'],
    ['(x),z'],
  ],
  'recursion on the right': ['root ::= "a" root | "b"', ['b', 'aab'], ['aa', 'ba']],
  'recursion in the middle': ['root ::= "(" root ")" root | ""', ['', '()', '(())()'], ['(', ')(']],
  'a calculation': [
    'root ::= sum "\\n"\nsum ::= term (("+" | "-") term)*\nterm ::= number | "(" sum ")"\nnumber ::= [0-9] | [1-9] [0-9]+',
    ['1\n', '(12-3)+4\n', '((7))\n'],
    ['01\n', '(1\n', '1+\n'],
  ],
  JSON: [
    String.raw`root ::= object
value ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}" ws
array ::= "[" ws (value ("," ws value)*)? "]" ws
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt/] | "u" [0-9a-fA-F]{4}))* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9]+)? ws
ws ::= | " " | "\n" [ \t]{0,20}`,
    ['{}', '{"a": [1, -2.5e3, {"b\\u00e9": null}]}', '{\n  "é": "\\""\n}'],
    ['', '[]', '{"a"}', '{"a": 01}', '{"a": "\n"}'],
  ],
};

const deep = `${'('.repeat(60)}"a"${')'.repeat(60)}`;
const times = (count: number, part: string) => Array.from({ length: count }, () => part).join(' ');

/** Grammars that are refused, and the error message. */
export const REFUSED_GRAMMARS: Readonly<Record<string, readonly [source: string, sentence: RegExp]>> = {
  'an empty grammar': ['', /has no rule; write rules as `root ::= …`, in GBNF/],
  'a grammar in Lark': ['start: "a" | "b"', /Lark and other notations are not read/],
  'no root': ['answer ::= "a"', /has no rule "root"/],
  'an unknown rule': ['root ::= "a" | item', /uses "item" in its rule "root", and has no such rule/],
  'two rules of a name': ['root ::= "a"\nroot ::= "b"', /`root` in line 2 a second time/],
  'a rule without its name': ['\n::= "b"', /`::=` in line 2 where a rule/],
  'an open group': ['root ::= ("a"', /`\(` in line 1 without its `\)`/],
  'a group that was never open': ['root ::= "a")', /`\)` in line 1 where a rule must end/],
  'an open text': ['root ::= "a', /`"` in line 1 which is not understood/],
  'an open class': ['root ::= [a', /`\[` in line 1 which is not understood/],
  'an empty class': ['root ::= []', /which no character matches/],
  'a class backwards': ['root ::= [z-a]', /a range whose end is before its start/],
  'a quantifier of nothing': ['root ::= * "a"', /`\*` in line 1 which is not understood/],
  'a repetition backwards': ['root ::= "a"{3,2}', /whose end is before its start/],
  'an unknown escape': [String.raw`root ::= "\q"`, /with `\\q`, which is no escape/],
  'half a surrogate pair': [String.raw`root ::= "\ud800"`, /which is no character/],
  'a character that does not exist': [String.raw`root ::= [\UFFFFFFFF]`, /which is no character/],
  'a lookahead of xgrammar': ['root ::= "a" (="b")', /`=` in line 1/],
  'a token of llama.cpp': ['root ::= <think>', /`<` in line 1/],
  'recursion on the left': ['root ::= root "a" | "a"', /begins its rule "root" with that rule itself/],
  'recursion on the left over a rule that may be empty': [
    'root ::= x root "a" | "a"\nx ::= " "?',
    /begins its rule "root"/,
  ],
  'recursion on the left of several rules': ['root ::= a\na ::= b "x"\nb ::= a | "y"', /begins its rule "a"/],
  'a recursive repetition that may be empty': [
    'root ::= ("(" root ")" | "")*',
    /repeats, in its rule "root", a part that may be/,
  ],
  'a grammar that never ends': ['root ::= "a" root', /allows no answer that ends/],
  'many repetitions': ['root ::= "a"{5000}', /repeats a part 5000 times, and 2000 is the most/],
  'repetitions that multiply': ['root ::= (("a"{1000}){1000}){1000}', /is too large/],
  'rules that multiply': [
    `root ::= r0\n${Array.from({ length: 60 }, (_, n) => `r${n} ::= r${n + 1} r${n + 1}`).join('\n')}\nr60 ::= "a"`,
    /is too large/,
  ],
  'a thousand classes': [`root ::= ${times(1000, '[a-z]')}`, /is too large/],
  'hundreds of optional parts': [`root ::= ${times(200, '[a-z]?')}`, /is too complex/],
  'an automaton of too many states': [`root ::= [ab]* "a" ${times(20, '[ab]')}`, /is too complex/],
  'deep groups': [`root ::= ${deep}`, /more than 50 levels deep/],
  'a long grammar': [`root ::= "a" # ${'x'.repeat(100_000)}`, /has more than 100,000 characters/],
};
