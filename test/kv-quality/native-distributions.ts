import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CANDIDATES, type Distribution } from './distribution.ts';
import type { GrowingPrompt } from './growing-prompts.ts';

/** How llama.cpp keeps and reads its KV cache. */
export interface CacheSetting {
  readonly type: 'q8_0' | 'f16' | 'f32';
  readonly flashAttention: boolean;
}

/** The used part of the package `node-llama-cpp`. It is not a dependency of this repository. */
interface NodeLlamaCpp {
  getLlama(options: object): Promise<{ loadModel(options: object): Promise<Model> }>;
}

interface Model {
  readonly tokens: { readonly bos: number | null; readonly shouldPrependBosToken: boolean };
  tokenize(text: string, specialTokens: boolean): number[];
  createContext(options: object): Promise<{ getSequence(): Sequence; dispose(): Promise<void> }>;
  dispose(): Promise<void>;
}

interface Sequence {
  controlledEvaluate(
    input: readonly (number | readonly [token: number, options: object])[],
  ): Promise<readonly ({ readonly next: { readonly logits?: ReadonlyMap<number, number> } } | undefined)[]>;
}

/**
 * Computes distributions with native llama.cpp on the CPU.
 * @param folder Folder in which `npm install node-llama-cpp` was run.
 * @param batch How many tokens are evaluated in one step.
 */
export async function nativeDistributions(
  folder: string,
  modelPath: string,
  { type, flashAttention }: CacheSetting,
  texts: readonly GrowingPrompt[],
  batch = 32,
): Promise<readonly Distribution[]> {
  const path = createRequire(join(folder, 'index.js')).resolve('node-llama-cpp');
  const { getLlama } = (await import(pathToFileURL(path).href)) as NodeLlamaCpp;
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: 1 });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const cacheType = type.toUpperCase();
  const createContext = () =>
    model.createContext({
      contextSize: 4096,
      batchSize: batch,
      flashAttention,
      experimentalKvCacheKeyType: cacheType,
      experimentalKvCacheValueType: cacheType,
    });
  let context = await createContext();
  let sequence = context.getSequence();
  let evaluated: readonly number[] = [];
  const results: Distribution[] = [];
  for (const prompt of texts.flatMap(({ prompts }) => prompts)) {
    const bos = model.tokens.shouldPrependBosToken ? [model.tokens.bos!] : [];
    const tokens = [...bos, ...model.tokenize(prompt, true)];
    if (!evaluated.every((token, index) => token === tokens[index])) {
      // A cleared history of node-llama-cpp 3.22 changes the results of a model with sliding attention.
      await context.dispose();
      context = await createContext();
      sequence = context.getSequence();
      evaluated = [];
    }
    const rest = tokens.slice(evaluated.length);
    const predict = [rest.at(-1)!, { generateNext: { logits: true } }] as const;
    const last = (await sequence.controlledEvaluate([...rest.slice(0, -1), predict])).at(-1);
    evaluated = tokens;
    results.push({ promptTokens: tokens.length, top: topOf(last!.next.logits!) });
  }
  await context.dispose();
  await model.dispose();
  return results;
}

function topOf(logits: ReadonlyMap<number, number>): Distribution['top'] {
  const sorted = [...logits].toSorted(([, a], [, b]) => b - a);
  const highest = sorted[0]![1];
  const sum = highest + Math.log(sorted.reduce((total, [, logit]) => total + Math.exp(logit - highest), 0));
  return sorted.slice(0, CANDIDATES).map(([token, logit]) => [token, logit - sum]);
}
