import { inFence } from '../../shared/in-fence.ts';
import { jsonOf, recordOf, textOf } from '../../shared/json-values.ts';
import { toolStrings } from '../strings/tool-strings.ts';
import { argumentsText, outcomeOf, toolName } from '../tools/tool-call-text.ts';
import { TOOL_OUTCOMES, type Answer, type ToolCall, type ToolRound } from '../types/conversation.ts';
import { fromFile, quote, toFile, unquote } from './markdown-form.ts';

/**
 * Returns the texts and tool calls before an answer's text: each call as a quotation for people, below a comment with what
 * the import needs beside it.
 */
export function toolRounds(answer: Answer): readonly string[] {
  const { rounds = [] } = answer;
  return rounds.flatMap(({ text, calls }, round) => [
    toFile(text),
    ...calls.map((call) => {
      const { name, arguments: given, outcome, result } = call;
      const shown = [argumentsText(call), result].filter((part) => part !== '').map((part) => inFence(part));
      const label = `**${toolName(call)}** · ${toolStrings.states[outcomeOf(call, answer)]}`;
      return `${comment({ round, name, arguments: given, outcome, hasResult: result !== '' })}\n\n${quote([label, ...shown].join('\n\n'))}`;
    }),
  ]);
}

/** The characters of `-->` are escaped, because they would end the comment. */
function comment(fields: object): string {
  const json = JSON.stringify(fields).replace(/[->]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  return `<!-- tabserve: call ${json} -->`;
}

/** Matches a call as {@link toolRounds} writes it. */
const CALL = /^<!-- tabserve: call (\{.*\}) -->\n\n((?:>[^\n]*(?:\n|$))+)/gm;

/** Returns the tool calls in an answer of a file, and the text after them, which is still as it is in the file. */
export function takeToolRounds(body: string): { readonly rounds: readonly ToolRound[]; readonly rest: string } {
  const rounds = new Map<unknown, { text: string; readonly calls: ToolCall[] }>();
  let at = 0;
  for (const { 0: found, 1: json = '', 2: quotation = '', index } of body.matchAll(CALL)) {
    const { round, name, arguments: given, outcome, hasResult } = recordOf(jsonOf(json));
    const text = fromFile(body.slice(at, index));
    const known = rounds.get(round);
    const calls = known?.calls ?? [];
    if (known === undefined) rounds.set(round, { text, calls });
    else known.text += text;
    const blocks = [...unquote(quotation).matchAll(/^(`{3,})\n([^]*?)\n\1$/gm)];
    calls.push({
      id: crypto.randomUUID(),
      name: textOf(name),
      arguments: textOf(given),
      outcome: TOOL_OUTCOMES.find((one) => one === outcome) ?? 'failed',
      result: hasResult === true ? (blocks.at(-1)?.[2] ?? '') : '',
    });
    at = index + found.length;
  }
  return { rounds: [...rounds.values()], rest: body.slice(at) };
}
