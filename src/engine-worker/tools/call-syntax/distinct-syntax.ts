import { ApiError } from '../../../shared/api-error.ts';
import { quote } from '../../../shared/describe-value.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import { grammarAfter, TooComplexRest } from '../../grammar/expressions/grammar-after.ts';
import type { Grammar } from '../../grammar/expressions/grammar.ts';
import { answerGrammar } from '../../grammar/request-grammar.ts';
import { callForm } from './call-form.ts';
import type { CallSyntax, Part } from './call-syntax.ts';
import { callableTools } from './calls-grammar.ts';

/**
 * Returns the syntax of calls for a request whose answer may be a call or have a format, such as JSON. Usually that is the
 * model's own. If an answer of the format may begin like a call of that syntax, the text before calls that the syntax
 * allows is required instead, because nothing else distinguishes the two.
 * @throws ApiError `invalid_value` if the syntax has no such text.
 */
export function distinctSyntax(request: CompletionRequest, syntax: CallSyntax): CallSyntax {
  const isEither = request.responseFormat.type !== 'text' && request.toolChoice === 'auto';
  const begun = isEither ? ambiguousBeginning(request, syntax) : null;
  if (begun === null) return syntax;
  const { mayBegin, open = '', ...rest } = syntax;
  if (mayBegin !== undefined) return { ...rest, mark: mayBegin, open: mayBegin + open, isWholeAnswer: false };
  throw new ApiError(
    'invalid_value',
    `\`tools\`: an answer of the given format may begin with ${quote(begun)}, as a tool call of this model does. Exclude that from the format, or say \`tool_choice: "none"\` or \`"required"\`.`,
    { param: 'tools' },
  );
}

/** Returns the beginning of a call that is also the beginning of an answer of the request's format; null if there is none. */
function ambiguousBeginning(request: CompletionRequest, syntax: CallSyntax): string | null {
  const answer = answerGrammar(request);
  const beginnings = callableTools(request).map((tool) =>
    textBeforeHole([syntax.open ?? '', ...callForm(tool, syntax).begin]),
  );
  return (answer && beginnings.find((beginning) => mayBeginWith(answer, beginning))) ?? null;
}

/** Joins parts up to the first one whose characters the model chooses. */
function textBeforeHole(parts: readonly Part[]): string {
  const hole = parts.findIndex((part) => typeof part !== 'string');
  return parts.slice(0, hole < 0 ? parts.length : hole).join('');
}

function mayBeginWith(answer: Grammar, text: string): boolean {
  try {
    return grammarAfter(answer, text) !== null;
  } catch (thrown) {
    if (thrown instanceof TooComplexRest) return true;
    throw thrown;
  }
}
