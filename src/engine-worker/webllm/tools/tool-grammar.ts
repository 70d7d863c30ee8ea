import type { Tool, ToolChoice } from '../../../shared/engine/completion-request.ts';
import { ebnfOf } from '../grammar/print-ebnf.ts';
import { callForm } from '../../tools/call-syntax/call-form.ts';
import { HERMES } from '../../tools/call-syntax/call-syntaxes.ts';

interface Grammar {
  readonly type: 'grammar';
  /** Grammar in xgrammar's EBNF. */
  readonly grammar: string;
}

interface AnyText {
  readonly type: 'any_text';
}

interface Tag {
  readonly type: 'tag';
  readonly begin: string;
  readonly content: Grammar | AnyText;
  readonly end: string;
}

/** The used formats of WebLLM's structural tags (grammar-constrained decoding). */
export type ToolGrammar =
  | {
      readonly type: 'triggered_tags';
      readonly triggers: readonly string[];
      readonly tags: readonly Tag[];
      readonly at_least_one: false;
      readonly stop_after_first: boolean;
    }
  | {
      readonly type: 'tags_with_separator';
      readonly separator: string;
      readonly tags: readonly Tag[];
      readonly at_least_one: true;
      readonly stop_after_first: boolean;
    }
  | { readonly type: 'or'; readonly elements: readonly (Tag | Grammar)[] };

/**
 * Builds the grammar that makes every tool call valid, with any model. The calls have Hermes' syntax: WebLLM's packages do
 * not say in which syntax their model was trained to write calls. With `auto` the model writes free text until it
 * opens a call; then only a listed function with arguments of its schema can follow. With another choice the answer
 * consists of calls only.
 *
 * @param single Whether the answer may contain at most one call.
 * @param answer Grammar of an answer without a call; null for free text. With such a grammar and `auto`, the answer has
 * at most one call: xgrammar 0.1.27 cannot express a choice between a list of calls and another format.
 */
export function toolGrammar(
  tools: readonly Tool[],
  choice: ToolChoice,
  single: boolean,
  answer: string | null,
): ToolGrammar {
  const allowed = typeof choice === 'object' ? tools.filter(({ name }) => name === choice.name) : tools;
  const tags = allowed.map(tag);
  if (choice === 'auto' && answer !== null) {
    return { type: 'or', elements: [...tags, { type: 'grammar', grammar: answer }] };
  }
  if (choice === 'auto') {
    return { type: 'triggered_tags', triggers: [HERMES.mark], tags, at_least_one: false, stop_after_first: single };
  }
  return { type: 'tags_with_separator', separator: '\n', tags, at_least_one: true, stop_after_first: single };
}

function tag(tool: Tool): Tag {
  const { begin, input, end } = callForm(tool, HERMES);
  return {
    type: 'tag',
    begin: begin.join(''),
    content: input === null ? { type: 'any_text' } : { type: 'grammar', grammar: ebnfOf(input) },
    end: end.join(''),
  };
}
