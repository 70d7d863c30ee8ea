import type { GrammarMatcher } from '@mlc-ai/web-xgrammar';
import { ebnfOf } from '../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { forcedTokens } from '../../src/engine-worker/webllm/grammar/forced-tokens.ts';
import { toolGrammar } from '../../src/engine-worker/webllm/tools/tool-grammar.ts';
import { compileSchema } from '../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { toolCallText } from '../../src/engine-worker/tools/tool-syntax.ts';
import type { RealTokenizer } from '../engine-worker/webllm/support/real-webllm.ts';
import { EVERYDAY_FORMATS, EVERYDAY_TOOLS } from './everyday-answers.ts';
import { xgrammar } from './xgrammar.ts';

/** Writes a value as JSON. */
export type Spelling = (value: unknown) => string;

/** Writes a blank after each colon and comma, as the arguments of calls have to be written. */
export const spaced: Spelling = (value) => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`)
    .join(', ')}}`;
};

export interface ForwardCount {
  /** Tokens of all answers, which is the number of forward passes without jumps. */
  readonly tokens: number;
  readonly forwards: number;
  /** Forward passes that compute more than one token. */
  readonly jumps: number;
}

/**
 * Counts the forward passes for the everyday answers, written by a model that uses the tokenizer's own tokens. Each
 * tool call is an answer of a request with three tools and `tool_choice: "auto"`.
 * @param spell Writes the answers that are no calls.
 * @param stop Token that ends an answer.
 */
export async function countForwards(tokenizer: RealTokenizer, stop: number, spell: Spelling): Promise<ForwardCount> {
  const size = tokenizer.getVocabSize();
  const vocabulary = Array.from({ length: size }, (_, id) => tokenizer.idToToken(id));
  const { TokenizerInfo, GrammarCompiler, GrammarMatcher: Matcher } = xgrammar();
  const information = await TokenizerInfo.createTokenizerInfo(vocabulary, 'byte_level', false, size, [stop]);
  const compiler = await GrammarCompiler.createGrammarCompiler(information);
  const total = { tokens: 0, forwards: 0, jumps: 0 };
  const add = async (grammar: Parameters<typeof Matcher.createGrammarMatcher>[0], text: string) => {
    const count = countAnswer(await Matcher.createGrammarMatcher(grammar), tokenizer, text);
    total.tokens += count.tokens;
    total.forwards += count.forwards;
    total.jumps += count.jumps;
  };
  for (const { schema, answer } of EVERYDAY_FORMATS)
    await add(await compiler.compileGrammar(ebnfOf(compileSchema(schema))), spell(answer));
  for (const [index, { name, answer }] of EVERYDAY_TOOLS.entries()) {
    const tools = [0, 7, 11].map((offset) => EVERYDAY_TOOLS[(index + offset) % EVERYDAY_TOOLS.length]!);
    const described = tools.map((tool) => ({ name: tool.name, description: '', parameters: tool.schema }));
    const format = toolGrammar(described, 'auto', true, null);
    const grammar = await compiler.compileStructuralTag({ type: 'structural_tag', format: format as never });
    await add(grammar, toolCallText(name, spaced(answer)));
  }
  return total;
}

function countAnswer(matcher: GrammarMatcher, tokenizer: RealTokenizer, text: string): ForwardCount {
  const tokens = [...tokenizer.encode(text)];
  let [forwards, jumps] = [0, 0];
  for (let at = 0; at < tokens.length; forwards++) {
    if (!matcher.acceptToken(tokens[at++]!)) throw new Error(`The grammar does not allow ${text}`);
    const forced = forcedTokens(matcher, tokenizer, () => true);
    if (forced.some((token, index) => tokens[at + index] !== token))
      throw new Error(`Forced text gets other tokens in ${text}`);
    if (forced.length > 0) jumps++;
    for (const token of forced) matcher.acceptToken(token);
    at += forced.length;
  }
  matcher.dispose();
  return { tokens: tokens.length, forwards, jumps };
}
