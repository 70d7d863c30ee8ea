import { ToolCallParser, type ToolCallParserOptions } from '../../../src/engine-worker/answer/tool-call-parser.ts';

export interface ParsedAnswer {
  readonly content: string;
  readonly calls: readonly { readonly name: string; readonly input: string }[];
}

/** Parses an answer that arrives in pieces, and joins the deltas. */
export function parseAnswer(
  pieces: readonly string[],
  options: Omit<ToolCallParserOptions, 'most'> & { readonly most?: number },
): ParsedAnswer {
  const parser = new ToolCallParser({ most: Number.POSITIVE_INFINITY, ...options });
  const outputs = pieces.map((text) => parser.push({ text, logprobs: [] }));
  const calls: { name: string; input: string }[] = [];
  for (const { index, name, arguments: text } of outputs.flatMap(({ toolCalls }) => toolCalls)) {
    if (name === undefined) calls[index]!.input += text;
    else calls[index] = { name, input: text };
  }
  const content = [...outputs.flatMap((output) => output.content), ...parser.end(false)];
  return { content: content.map(({ text }) => text).join(''), calls };
}

/** Parses an answer as a whole and character by character, and cut at each position. @returns the different results. */
export function parseAnyhow(text: string, options: Parameters<typeof parseAnswer>[1]): readonly ParsedAnswer[] {
  const cuts = Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]);
  const results = [...cuts, [...text]].map((pieces) => parseAnswer(pieces, options));
  return [...new Map(results.map((result) => [JSON.stringify(result), result])).values()];
}
