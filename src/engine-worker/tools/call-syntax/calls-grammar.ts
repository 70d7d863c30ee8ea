import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import { choice, repeat, sequence, text, type Expression } from '../../grammar/expressions/grammar.ts';
import type { RuleSet } from '../../grammar/expressions/rule-set.ts';
import { charactersOf } from '../../grammar/regular-language/character-set.ts';
import { allowsOneCall } from '../allows-one-call.ts';
import { callForm } from './call-form.ts';
import type { CallSyntax, Part } from './call-syntax.ts';

/** Returns the tools that an answer may call. */
export function callableTools({ tools, toolChoice }: Pick<CompletionRequest, 'tools' | 'toolChoice'>) {
  if (toolChoice === 'none') return [];
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** Adds the rules of the calls that an answer may have. @returns the expression of all calls together. */
export function callsExpression(request: CompletionRequest, syntax: CallSyntax, rules: RuleSet): Expression {
  const calls = callableTools(request).map((tool): Expression => {
    const { begin, input, end } = callForm(tool, syntax);
    const written = input === null ? rules.textWithout(String(end[0])) : rules.include(input);
    return sequence(...begin.map(partExpression), written, ...end.map(partExpression));
  });
  const call = rules.add(() => choice(...calls));
  const { open = '', separator, close = '', mayBegin } = syntax;
  const isOne = separator === null || allowsOneCall(request);
  const further = isOne ? text('') : repeat(sequence(text(separator), call), 0, Infinity);
  const begin = mayBegin === undefined ? text('') : choice(text(''), text(mayBegin));
  return rules.add(() => sequence(begin, text(open), call, further, text(close)));
}

function partExpression(part: Part): Expression {
  if (typeof part === 'string') return text(part);
  return repeat({ kind: 'set', set: charactersOf(part.characters) }, part.min, part.max);
}
