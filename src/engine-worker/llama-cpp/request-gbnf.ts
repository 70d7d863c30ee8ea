import type { CompletionRequest, Tool } from '../../shared/engine/completion-request.ts';
import {
  choice,
  repeat,
  rule,
  sequence,
  text,
  withRuleNames,
  type Expression,
  type Grammar,
} from '../grammar/expressions/grammar.ts';
import { FREE_TEXT, languageExpression } from '../grammar/expressions/language-grammar.ts';
import { ALL, concat, literal, not } from '../grammar/regular-language/regular-language.ts';
import { printGbnf } from '../grammar/expressions/print-gbnf.ts';
import { allowsOneCall } from '../answer/tool-call-parser.ts';
import { answerGrammar, toolInputGrammar } from '../grammar/request-grammar.ts';
import {
  CUSTOM_CALL_END,
  customCallBegin,
  TOOL_CALL_END,
  TOOL_CALL_OPEN,
  toolCallBegin,
} from '../tools/tool-syntax.ts';

/**
 * Returns the grammar of an answer in llama.cpp's notation; null for free text.
 * @throws ApiError `invalid_value` for a schema, pattern or grammar that is not supported.
 */
export function requestGbnf(request: CompletionRequest): string | null {
  const answer = answerGrammar(request);
  if (request.tools.length > 0 && request.toolChoice !== 'none') return printGbnf(callsGrammar(request, answer));
  return answer && printGbnf(answer);
}

/**
 * Returns the grammar of an answer with tools. With `auto` the model writes free text, or what `answer` allows, until
 * it opens a call; then only a listed function with arguments of its schema can follow. With another tool choice the
 * answer consists only of calls.
 */
function callsGrammar(request: CompletionRequest, answer: Grammar | null): Grammar {
  const { tools, toolChoice } = request;
  const rules = new Map<string, Expression>();
  const allowed = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  rules.set('call', choice(...allowed.map((tool, index) => callOf(tool, rules, `tool${index}-`))));
  const further = sequence(text('\n'), rule('call'));
  rules.set('calls', sequence(rule('call'), allowsOneCall(request) ? text('') : repeat(further, 0, Infinity)));
  if (toolChoice !== 'auto') return { root: 'calls', rules };
  const otherwise =
    answer === null
      ? sequence(textWithout(TOOL_CALL_OPEN, rules, 'free-'), choice(text(''), rule('calls')))
      : choice(included(answer, rules, 'answer-'), rule('calls'));
  rules.set('root', otherwise);
  return { root: 'root', rules };
}

function callOf(tool: Tool, rules: Map<string, Expression>, prefix: string): Expression {
  const isCustom = tool.custom !== undefined;
  const end = isCustom ? CUSTOM_CALL_END : TOOL_CALL_END;
  const grammar = toolInputGrammar(tool);
  const input = grammar === null ? textWithout(end, rules, prefix) : included(grammar, rules, prefix);
  return sequence(text(isCustom ? customCallBegin(tool.name) : toolCallBegin(tool.name)), input, text(end));
}

/** Adds the rules of a grammar under other names. @returns the expression of its root. */
function included({ root, rules: own }: Grammar, rules: Map<string, Expression>, prefix: string): Expression {
  const newName = (name: string) => prefix + name;
  for (const [name, expression] of own) rules.set(newName(name), withRuleNames(expression, newName));
  return rule(newName(root));
}

function textWithout(mark: string, rules: Map<string, Expression>, prefix: string): Expression {
  const language = not(concat(ALL, literal(mark), ALL));
  const expression = languageExpression(language, FREE_TEXT, (make) => {
    const name = `${prefix}without-${rules.size}`;
    rules.set(name, text(''));
    rules.set(name, make(name));
    return name;
  });
  if (expression === null) throw new Error(`No grammar for a text without ${mark}.`);
  return expression;
}
