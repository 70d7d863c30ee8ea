import type { ToolCall } from '../../../shared/engine/completion-request.ts';
import type { AddedToken } from '../../answer/unwanted-tokens.ts';
import type { CallSyntax } from '../../tools/call-syntax/call-syntax.ts';
import { callSyntaxOf } from '../../tools/call-syntax/call-syntax-of.ts';
import { speller } from '../../tools/call-syntax/spell-calls.ts';
import type { Layout } from '../../prompt/layouts.ts';
import { CHATML, ChatTemplate, type TemplateTokens } from './chat-template.ts';
import { templateMarks, type TemplateMarks } from './template-marks.ts';

/** How a loaded model holds a conversation. */
export interface ChatFormat {
  /** Null if the Jinja library cannot render the template. Then llama.cpp renders it. */
  readonly template: ChatTemplate | null;
  /** The template in Jinja. */
  readonly source: string;
  readonly marks: TemplateMarks;
  /** The texts that a message must not contain as tokens, longest first. */
  readonly controlTexts: readonly string[];
  /** The syntax of calls in which the template writes them. */
  readonly syntax: CallSyntax;
  /** Writes calls as text in that syntax; null if that is not possible. */
  readonly spell: ((calls: readonly ToolCall[]) => string) | null;
  /** The layouts found so far, by the shape of the conversation. */
  readonly layouts: Map<string, Layout>;
}

/** @param source The model's chat template in Jinja; null or empty if the model has none. */
export function chatFormat(source: string | null, added: readonly AddedToken[], tokens: TemplateTokens): ChatFormat {
  const known = source || CHATML;
  const template = parsed(known, tokens);
  const marks = templateMarks(known, template, added);
  const { thinking, inAnswer, inCalls } = marks;
  const isControl = ({ id, special, text }: AddedToken) =>
    special || ((inCalls.has(id) || inAnswer.has(id)) && /[<[].*\w.*[>\]]/.test(text));
  const texts = new Set(added.filter(isControl).map(({ text }) => text));
  if (thinking !== null) texts.add(thinking.open).add(thinking.close);
  const controlTexts = [...texts].toSorted((a, b) => b.length - a.length);
  const syntax = callSyntaxOf(known);
  return { template, source: known, marks, controlTexts, syntax, spell: speller(syntax), layouts: new Map() };
}

/** Returns null for a template that uses what the Jinja library lacks. */
function parsed(source: string, tokens: TemplateTokens): ChatTemplate | null {
  try {
    const template = new ChatTemplate(source, tokens);
    return template.works ? template : null;
  } catch {
    return null;
  }
}
