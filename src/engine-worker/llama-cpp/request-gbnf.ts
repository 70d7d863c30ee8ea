import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { FORMAT_GAP, mayBeText, type ThinkingMarkers } from '../answer/thinking-splitter.ts';
import { choice, repeat, sequence, text, type Expression, type Grammar } from '../grammar/expressions/grammar.ts';
import { printGbnf } from '../grammar/expressions/print-gbnf.ts';
import { RuleSet } from '../grammar/expressions/rule-set.ts';
import { charactersOf } from '../grammar/regular-language/character-set.ts';
import {
  ALL,
  and,
  concat,
  literal,
  not,
  one,
  or,
  repeated,
  without,
} from '../grammar/regular-language/regular-language.ts';
import { answerGrammar } from '../grammar/request-grammar.ts';
import type { CallSyntax } from '../tools/call-syntax/call-syntax.ts';
import { HERMES } from '../tools/call-syntax/call-syntaxes.ts';
import { callsExpression } from '../tools/call-syntax/calls-grammar.ts';

/** The thinking that may precede an answer. */
export interface AllowedThinking extends ThinkingMarkers {
  /** Whether the prompt ends inside a thinking block. The model then has to close it. */
  readonly isOpen: boolean;
  /** Text that stands before an answer of a format. Default: none. */
  readonly lead?: string;
}

/** White space beside thinking. It is limited, so that the model does not write it without end. */
const GAP: Expression = repeat({ kind: 'set', set: charactersOf(' \n') }, 0, 4);

/** What may precede a marker in its line. */
const BLANKS = repeated(one(charactersOf(' \t\r')), 0, Infinity);

/**
 * Returns the grammar of an answer in llama.cpp's notation; null for free text.
 * @param syntax The syntax of the model's tool calls. Default: that of Hermes.
 * @param thinking The thinking that the model may write before the constrained answer; the grammar does not restrict it.
 * Default: none, the answer begins with its first character.
 * @throws ApiError `invalid_value` for a schema, pattern or grammar that is not supported.
 */
export function requestGbnf(
  request: CompletionRequest,
  syntax: CallSyntax = HERMES,
  thinking: AllowedThinking | null = null,
): string | null {
  const answer = answerGrammar(request);
  const usesTools = request.tools.length > 0 && request.toolChoice !== 'none';
  if (!usesTools && (answer === null || thinking === null)) return answer && printGbnf(answer);
  return printGbnf(wholeGrammar(request, answer, usesTools ? syntax : null, thinking));
}

/**
 * Returns the grammar of thinking and an answer. With tools and `auto` the model writes free text, or what `answer`
 * allows, until it opens a call; then only a listed function with arguments of its schema can follow. With another tool
 * choice the answer consists only of calls.
 */
function wholeGrammar(
  request: CompletionRequest,
  answer: Grammar | null,
  syntax: CallSyntax | null,
  thinking: AllowedThinking | null,
): Grammar {
  const rules = new RuleSet();
  // An answer of a format may begin with white space, too.
  const gap = answer === null ? GAP : choice(text(''), text(FORMAT_GAP));
  const thought = thinking && sequence(rules.textWithout(thinking.close), text(thinking.close), gap);
  const calls = syntax && callsExpression(request, syntax, rules);
  const mayAnswer = calls === null || request.toolChoice === 'auto';
  const answers = calls === null ? [] : [calls];
  if (mayAnswer && answer !== null) answers.push(sequence(text(thinking?.lead ?? ''), rules.include(answer)));
  const isFree = mayAnswer && answer === null;
  const said = isFree ? freeText(syntax!, calls!, thinking, thought, rules) : choice(...answers);
  if (thinking === null || thought === null) return rules.grammar(said);
  if (thinking.isOpen) return rules.grammar(sequence(thought, said));
  return rules.grammar(choice(said, sequence(GAP, text(thinking.open), thought, said)));
}

/** Returns the expression of text that contains no mark of a call, with calls at its end or without. */
function freeText(
  { mark, isWholeAnswer, mayBegin = mark }: CallSyntax,
  calls: Expression,
  thinking: AllowedThinking | null,
  thought: Expression | null,
  rules: RuleSet,
): Expression {
  if (isWholeAnswer) {
    const blank = repeated(one(charactersOf(' \n\t\r')), 0, Infinity);
    const other = rules.language(not(concat(blank, or(literal(mark), literal(mayBegin)), ALL)))!;
    return choice(calls, other);
  }
  if (thinking === null || thought === null)
    return sequence(rules.textWithout(mark, mayBegin), choice(text(''), calls));
  // A model may think again later in its answer. What it thinks may contain the mark.
  const again = (name: string) => sequence(text(thinking.open), thought, { kind: 'rule', name });
  if (!mayBeText(thinking)) {
    const plain = rules.textWithout(mark, mayBegin, thinking.open);
    return rules.add((name) => sequence(plain, choice(text(''), calls, again(name))));
  }
  // Within a line its marker is text, as in a sentence about such markers.
  const opening = concat(BLANKS, literal(thinking.open));
  const line = and(without([mark, mayBegin, '\n']), not(concat(opening, ALL)));
  const [plain, before] = [line, BLANKS].map((language) => rules.language(language)!);
  return rules.add((name) =>
    choice(
      sequence(plain!, choice(text(''), calls, sequence(text('\n'), { kind: 'rule', name }))),
      sequence(before!, again(name)),
    ),
  );
}
