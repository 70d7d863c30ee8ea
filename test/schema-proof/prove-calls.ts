import { ToolCallParser } from '../../src/engine-worker/answer/tool-call-parser.ts';
import { argumentsSchema } from '../../src/engine-worker/grammar/request-grammar.ts';
import { matchesPattern } from '../../src/engine-worker/grammar/regular-language/matches-pattern.ts';
import { requestGbnf } from '../../src/engine-worker/llama-cpp/request-gbnf.ts';
import type { CallSyntax } from '../../src/engine-worker/tools/call-syntax/call-syntax.ts';
import { REQUEST_DEFAULTS } from '../../src/shared/engine/request-defaults.ts';
import type { Tool } from '../../src/shared/engine/completion-request.ts';
import { Random } from './random.ts';
import { readGbnf } from './read-gbnf.ts';
import { GrammarSampler } from './sample-grammar.ts';
import { validator } from './validator.ts';

export interface CallProof {
  readonly samples: number;
  /** Answers whose calls are not read as arguments of the schema, or not the same however the answer is cut. */
  readonly violations: readonly string[];
}

/**
 * Samples answers that call a tool from the grammar that llama.cpp gets, parses each, and validates the arguments. Each
 * answer is also parsed in random pieces.
 */
export function proveCalls(tool: Tool, syntax: CallSyntax, samples: number, seed: number): CallProof {
  const request = { ...REQUEST_DEFAULTS, model: 'a', messages: [], tools: [tool], toolChoice: 'required' } as const;
  const sampler = new GrammarSampler(readGbnf(requestGbnf(request, syntax)!));
  const random = new Random(seed);
  const isInput = inputCheck(tool);
  const violations: string[] = [];
  for (let index = 0; index < samples; index++) {
    const answer = sampler.sample(random);
    const inputs = inputsOf([answer], tool, syntax);
    const inPieces = inputsOf(cut(answer, random), tool, syntax);
    if (inputs.length === 0 || !inputs.every(isInput))
      violations.push(`${answer} is read as ${JSON.stringify(inputs)}`);
    if (inputs.join('\n') !== inPieces.join('\n')) violations.push(`${answer} in pieces: ${JSON.stringify(inPieces)}`);
  }
  return { samples, violations };
}

function inputsOf(pieces: readonly string[], tool: Tool, syntax: CallSyntax): readonly string[] {
  const parser = new ToolCallParser({ tools: [tool], most: Number.POSITIVE_INFINITY, syntax });
  const inputs: string[] = [];
  for (const text of pieces) {
    const { content, toolCalls } = parser.push({ text, logprobs: [] });
    if (content.length > 0) return [];
    for (const { index, arguments: part } of toolCalls) inputs[index] = (inputs[index] ?? '') + part;
  }
  return inputs;
}

function inputCheck({ parameters, custom }: Tool): (input: string) => boolean {
  if (custom !== undefined) return (input) => custom.pattern === null || matchesPattern(custom.pattern, input, true);
  const validate = validator(argumentsSchema(parameters))!;
  return (input) => {
    try {
      return validate(JSON.parse(input));
    } catch {
      return false;
    }
  };
}

function cut(text: string, random: Random): readonly string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== '';) {
    const length = 1 + random.below(6);
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}
