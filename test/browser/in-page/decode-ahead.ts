import { createWebLlmEngine } from '../../../src/engine-worker/webllm/create-webllm-engine.ts';
import { ArgMax } from '../../../src/engine-worker/webllm/sampling/arg-max.ts';
import type { DeviceContext } from '../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { tensorReader } from '../../../src/engine-worker/webllm/sampling/tensor-readback.ts';
import type { Usage } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';

/** Copies to the CPU: how many are pending, and for each the number that were pending when it arrived. */
const reads = { pending: 0, atArrival: [] as number[] };
const { mapAsync } = GPUBuffer.prototype;
GPUBuffer.prototype.mapAsync = async function count(...parameters: Parameters<GPUBuffer['mapAsync']>) {
  reads.pending++;
  await mapAsync.apply(this, parameters);
  reads.atArrival.push(reads.pending);
  reads.pending--;
};

// The built-in model's vocabulary is so small that otherwise only greedy answers are sampled on the GPU.
const engine = createWebLlmEngine({ smallVocabulary: 0 });
const model = builtInModel(`${location.origin}/`);

/** A penalty so small that it changes no logit. With it WebLLM's own sampler gets the tokens from the CPU. */
const DECIDED_ON_CPU = { presencePenalty: 1e-12 };

const QUESTIONS = ['What is HTML?', 'Tell me a short story.', 'What is 3 + 4?', 'Hello'];

interface Answer {
  readonly texts: readonly string[];
  readonly logprobs: readonly string[];
  readonly usage: Usage | null;
}

/** @param most Number of deltas after which the request is aborted. */
async function ask(request: Partial<CompletionRequest>, most = Number.POSITIVE_INFINITY): Promise<Answer> {
  if (engine.loadedModel === null) await engine.load(model, () => {}, new AbortController().signal);
  const controller = new AbortController();
  const texts: string[] = [];
  const logprobs: string[] = [];
  let usage: Usage | null = null;
  let heard = 0;
  try {
    for await (const event of engine.generate({ ...completionRequest('', model.id), ...request }, controller.signal)) {
      if (event.type === 'done') ({ usage } = event);
      if (event.type === 'finish') texts[event.choice] = `${texts[event.choice] ?? ''} (${event.reason})`;
      if (event.type !== 'delta') continue;
      texts[event.choice] = (texts[event.choice] ?? '') + (event.content ?? '');
      logprobs.push(...(event.logprobs ?? []).map(({ token, logprob }) => `${token} ${logprob.toFixed(3)}`));
      if (++heard >= most) controller.abort(new Error('enough'));
    }
  } catch (thrown) {
    if (!controller.signal.aborted) throw thrown;
  }
  return { texts, logprobs, usage };
}

/** Leaves each token but the names to the model. */
const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, year: { type: 'integer' } },
  required: ['title', 'year'],
  additionalProperties: false,
};

/** Returns a request whose temperature, limits, choices, stops and format depend on the seed. */
function requestOf(seed: number): Partial<CompletionRequest> {
  return {
    messages: [{ role: 'user', content: QUESTIONS[seed % QUESTIONS.length]! }],
    seed,
    temperature: [0, 0.7, 1][seed % 3]!,
    topP: [1, 0.9, 0.5][(seed % 7) % 3]!,
    maxTokens: 1 + ((seed * 7) % 12),
    choices: seed % 9 === 0 ? 3 : 1,
    logprobs: seed % 5 === 0,
    topLogprobs: seed % 5 === 0 ? 2 : 0,
    logitBias: seed % 4 === 1 ? { '300': 1 } : {},
    ...(seed % 6 === 4 && { responseFormat: { type: 'json_schema', schema: SCHEMA } }),
  };
}

/**
 * Answers the same requests with the token on the GPU and with the token on the CPU, and stops each answer at its last
 * three tokens, too. After every third request another one is aborted.
 *
 * @returns the answers that differ.
 */
export async function compareSeeds(from: number, to: number): Promise<readonly string[]> {
  const different: string[] = [];
  const compare = async (name: string, request: Partial<CompletionRequest>) => {
    const right = JSON.stringify(await ask({ ...request, ...DECIDED_ON_CPU }));
    const answer = JSON.stringify(await ask(request));
    if (withoutCache(answer) !== withoutCache(right)) different.push(`${name}: ${answer}, but ${right}`);
  };
  for (let seed = from; seed <= to; seed++) {
    const request = requestOf(seed);
    await compare(`seed ${seed}`, request);
    if (seed % 3 === 0) await ask({ ...requestOf(seed + 1), maxTokens: 12 }, 1 + (seed % 4));
    if (seed % 10 !== 0) continue;
    const { texts } = await ask({ ...request, maxTokens: 12, choices: 1 });
    const words = texts[0]!.replace(/ \(\w+\)$/, '');
    for (const length of [1, 2, 3].filter((count) => count < words.length))
      await compare(`seed ${seed}, ${length} before the end`, {
        ...request,
        maxTokens: 12,
        stop: [words.slice(-length)],
      });
  }
  return different;
}

function withoutCache(answer: string): string {
  return answer.replace(/"cachedTokens":\d+/, '');
}

/**
 * Asks a second question after answers that end in different ways.
 * @returns for each the number of prompt tokens that the prompt cache had, with the token on the GPU and on the CPU.
 */
export async function cachedTokens(): Promise<readonly (readonly [gpu: number, cpu: number])[]> {
  const results: [number, number][] = [];
  for (const how of [{}, { maxTokens: 5 }, { stop: ['language'] }]) {
    const cached: number[] = [];
    for (const where of [{}, DECIDED_ON_CPU]) {
      const first = { role: 'user', content: 'What is HTML?' } as const;
      const { texts } = await ask({ messages: [first], temperature: 0, ...how, ...where });
      const answer = texts[0]!.replace(/ \(\w+\)$/, '');
      const turn = { role: 'assistant', content: answer, toolCalls: [] } as const;
      const { usage } = await ask({ messages: [first, turn, first], temperature: 0, maxTokens: 1, ...where });
      cached.push(usage!.cachedTokens);
    }
    results.push(cached as [number, number]);
  }
  return results;
}

/** Returns, for each token of a greedy answer, how many steps had been submitted and not been read when it was read. */
export async function stepsInFlight(): Promise<readonly number[]> {
  await ask({ messages: [{ role: 'user', content: 'Hello' }], maxTokens: 1, temperature: 0 });
  reads.atArrival = [];
  await ask({ messages: [{ role: 'user', content: QUESTIONS[1]! }], maxTokens: 12, temperature: 0 });
  // Without the first token, which is sampled from the prompt, and the last one, after which there is no step.
  return reads.atArrival.slice(1, -1);
}

/**
 * Finds the highest logit on the GPU.
 * @param logits By token; all others are −5.
 */
export async function argMax(size: number, logits: Readonly<Record<number, number>>, offset: number): Promise<number> {
  const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
  try {
    const buffers = [offset + size, 1].map((length) =>
      device.createBuffer({
        size: 4 * length,
        // oxlint-disable-next-line no-bitwise -- flags
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
      }),
    );
    const context = {
      device,
      pendingEncoder: null as GPUCommandEncoder | null,
      pendingGPUToCPUCopy: null,
      pendingGPUToCPUCopyIsQueueTail: false,
      gpuBufferFromPtr: (pointer: number) => buffers[pointer]!,
      flushCommands() {
        if (context.pendingEncoder) device.queue.submit([context.pendingEncoder.finish()]);
        context.pendingEncoder = null;
      },
      sync: async () => {},
    } as unknown as DeviceContext;
    const values = new Float32Array(offset + size).fill(-5);
    values.fill(99, 0, offset);
    for (const [token, logit] of Object.entries(logits)) values[offset + Number(token)] = logit;
    device.queue.writeBuffer(buffers[0]!, 0, values);
    const token = { dtype: 'int32', shape: [1], byteOffset: 0, getDataPtr: () => 1 };
    const row = { dtype: 'float32', shape: [1, 1, size], byteOffset: 4 * offset, getDataPtr: () => 0 };
    new ArgMax(context, size).encode(row as never, token as never);
    return new Int32Array(await tensorReader(context)(token))[0]!;
  } finally {
    device.destroy();
  }
}
