import { createWebLlmEngine } from '../../../src/engine-worker/webllm/create-webllm-engine.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { GenerationEvent, Usage } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { RandomConversations } from '../random-conversations.ts';

/** The result of comparing an engine with a prompt cache to one that prefills every prompt completely. */
export interface Comparison {
  readonly conversations: number;
  readonly requests: number;
  readonly aborted: number;
  /** Number of compared answers, which are greedy. */
  readonly compared: number;
  /** Number of answers that differ at a token where the model's two most likely tokens are equally likely. */
  readonly ties: number;
  /** Both answers of each other pair that differs. */
  readonly differences: readonly (readonly [cached: string, fresh: string])[];
  readonly promptTokens: number;
  readonly cachedTokens: number;
}

/** Bytes and number of buffers on the graphics device. */
export interface GpuMemory {
  readonly buffers: number;
  readonly bytes: number;
}

/** Two tokens count as equally likely if their log probabilities differ by less than this. */
const TIE = 1e-3;

/**
 * With log probabilities an engine samples text that a grammar forces, too. Otherwise it computes that text at once, in
 * fewer tokens, and only with a prompt cache; a token limit would then end the two answers at different places.
 */
const EACH_TOKEN_SAMPLED = { logprobs: true } as const satisfies Partial<CompletionRequest>;

const memory = { buffers: 0, bytes: 0 };
const { createBuffer } = GPUDevice.prototype;
GPUDevice.prototype.createBuffer = function count(descriptor) {
  memory.buffers++;
  memory.bytes += descriptor.size;
  return createBuffer.call(this, descriptor);
};
const { destroy } = GPUBuffer.prototype;
const destroyed = new WeakSet<GPUBuffer>();
GPUBuffer.prototype.destroy = function count() {
  if (!destroyed.has(this)) {
    destroyed.add(this);
    memory.buffers--;
    memory.bytes -= this.size;
  }
  return destroy.call(this);
};

const never = new AbortController().signal;
const cached = createWebLlmEngine();
// Its stored check says that its library cannot reuse the KV cache, so it has no prompt cache.
const fresh = createWebLlmEngine({ checks: { get: async () => 'none', put: async () => {} } });
let model: ModelEntry = builtInModel(`${location.origin}/`);

/**
 * Loads the model into both engines.
 * @returns why the prompt cache is off; null if it is on.
 */
export async function load(other: Partial<ModelEntry>): Promise<string | null> {
  model = { ...model, ...other };
  await cached.load(model, () => {}, never);
  const off = cached.extensions?.find(({ name }) => name === 'prompt-cache')?.off ?? null;
  if (off === null) await fresh.load(model, () => {}, never);
  return off;
}

/** Compares the answers of both engines to random conversations, until this many have begun. */
export async function compare(seed: number, conversations: number): Promise<Comparison> {
  const traffic = new RandomConversations(seed);
  const result = { conversations, requests: 0, aborted: 0, compared: 0, ties: 0, promptTokens: 0, cachedTokens: 0 };
  const differences: [string, string][] = [];
  while (traffic.begun < conversations) {
    const { request, abortAfter } = traffic.next();
    result.requests++;
    if (abortAfter !== null) {
      result.aborted++;
      await abort(request, abortAfter);
      continue;
    }
    const answer = await ask(cached, request);
    result.promptTokens += answer.usage.promptTokens;
    result.cachedTokens += answer.usage.cachedTokens;
    if (request.temperature === 0) {
      const given = followsGrammar(request) ? await ask(cached, { ...request, ...EACH_TOKEN_SAMPLED }) : answer;
      const wanted = await ask(fresh, { ...request, ...EACH_TOKEN_SAMPLED });
      result.compared++;
      if (given.texts.join('\n') !== wanted.texts.join('\n')) {
        if (await isTie(request, given.texts, wanted.texts)) result.ties++;
        else differences.push([given.texts.join('\n'), wanted.texts.join('\n')]);
      }
    }
    traffic.answered(answer.first);
  }
  return { ...result, differences };
}

/** Sends the same requests several times. @returns the GPU memory after the second time and after the last. */
export async function gpuMemoryAfter(
  seed: number,
  conversations: number,
  times: number,
): Promise<[GpuMemory, GpuMemory]> {
  const run = async () => {
    const traffic = new RandomConversations(seed);
    while (traffic.begun < conversations) {
      const { request, abortAfter } = traffic.next();
      if (abortAfter !== null) await abort(request, abortAfter);
      else traffic.answered((await ask(cached, request)).first);
    }
    return { ...memory };
  };
  // The first time is not measured, because the engine measures its speed then and changes the size of prefill pieces.
  await run();
  const before = await run();
  let after = before;
  for (let time = 1; time < times; time++) after = await run();
  return [before, after];
}

function followsGrammar({ responseFormat, tools = [] }: Partial<CompletionRequest>): boolean {
  return tools.length > 0 || (responseFormat !== undefined && responseFormat.type !== 'text');
}

async function ask(engine: Engine, request: Partial<CompletionRequest>) {
  const texts: string[] = [];
  let usage: Usage | null = null;
  for await (const event of generate(engine, request, never)) {
    if (event.type === 'delta') {
      const calls = (event.toolCalls ?? []).map((call) => (call.name ?? '') + call.arguments).join('');
      texts[event.choice] = (texts[event.choice] ?? '') + (event.content ?? '') + calls;
    } else if (event.type === 'finish') texts[event.choice] = `${texts[event.choice] ?? ''} (${event.reason})`;
    else if (event.type === 'done') usage = event.usage;
  }
  return { texts, first: (texts[0] ?? '').replace(/ \(\w+\)$/, ''), usage: usage! };
}

async function abort(request: Partial<CompletionRequest>, abortAfter: number): Promise<void> {
  const controller = new AbortController();
  const enough = new Error('enough');
  let heard = 0;
  try {
    for await (const event of generate(cached, request, controller.signal)) {
      if (event.type !== 'prefill' && ++heard >= abortAfter) controller.abort(enough);
      // Aborts during prefill.
      else if (event.type === 'prefill' && abortAfter === 0)
        setTimeout(() => controller.abort(enough), 20 * Math.random());
    }
  } catch (thrown) {
    if (thrown !== enough) throw thrown;
  }
}

/** Whether at each difference the two most likely tokens were equally likely. */
async function isTie(
  request: Partial<CompletionRequest>,
  answers: readonly string[],
  right: readonly string[],
): Promise<boolean> {
  const partings = right.map((text, choice) => partingOf(text, answers[choice] ?? ''));
  const open = new Set(right.flatMap((text, choice) => (text === answers[choice] ? [] : [choice])));
  const ends = right.map(() => 0);
  for await (const event of generate(fresh, { ...request, logprobs: true, topLogprobs: 2 }, never)) {
    if (event.type !== 'delta') continue;
    const { choice, logprobs = [] } = event;
    for (const { token, topLogprobs } of logprobs) {
      const start = ends[choice]!;
      const end = (ends[choice] = start + token.length);
      const [best, second] = topLogprobs;
      const isHere = start <= partings[choice]! && partings[choice]! < end;
      if (isHere && best && second && best.logprob - second.logprob < TIE) open.delete(choice);
    }
  }
  return open.size === 0;
}

/** Returns the length of the common prefix. */
function partingOf(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function generate(
  engine: Engine,
  request: Partial<CompletionRequest>,
  signal: AbortSignal,
): AsyncIterable<GenerationEvent> {
  return engine.generate({ ...completionRequest('', model.id), ...request }, signal);
}
