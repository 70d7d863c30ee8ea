import { MLCEngine, prebuiltAppConfig, type ChatOptions } from '@mlc-ai/web-llm';
import { ApiError } from '../../../src/shared/api-error.ts';
import { createWebLlmEngine } from '../../../src/engine-worker/webllm/create-webllm-engine.ts';
import { onlyTokens } from '../../../src/engine-worker/webllm/prompt-cache/key-value-cache.ts';
import type { PromptData, WebLlmPipeline } from '../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../../src/shared/engine/request-defaults.ts';
import type { DeltaEvent, Usage } from '../../../src/shared/engine/completion-event.ts';
import { IMAGE_PLACE } from '../../../src/shared/engine/tokenization.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { sleep } from '../../../src/shared/timeout.ts';

/** Milliseconds between Firefox's polls of the GPU, unless something is submitted. */
const POLLING_INTERVAL = 100;

const WINDOW = 512;
const entry = { ...builtInModel(`${location.origin}/`), contextWindow: WINDOW };
const never = new AbortController().signal;

/** The calls that reach WebLLM's own methods, below all extensions. */
const own = {
  forwarded: [] as PromptData[],
  decoded: [] as number[],
  detokenized: [] as Int32Array[],
  sampled: 0,
  copied: 0,
};
let emptySubmits = 0;
let lastShader = '';
let onForward = () => {};
let onSubmit = () => {};
let webLlm: MLCEngine;

const { submit } = GPUQueue.prototype;
GPUQueue.prototype.submit = function watched(commands) {
  const list = [...commands];
  if (list.length === 0) emptySubmits++;
  onSubmit();
  return submit.call(this, list);
};

const { createShaderModule } = GPUDevice.prototype;
GPUDevice.prototype.createShaderModule = function watched(descriptor) {
  lastShader = descriptor.code;
  return createShaderModule.call(this, descriptor);
};

/** WebGPU calls that reach the browser. */
const gpuCalls = { groups: 0, passes: 0 };
const { createBindGroup } = GPUDevice.prototype;
GPUDevice.prototype.createBindGroup = function watched(descriptor) {
  gpuCalls.groups++;
  return createBindGroup.call(this, descriptor);
};
const { beginComputePass } = GPUCommandEncoder.prototype;
GPUCommandEncoder.prototype.beginComputePass = function watched(descriptor) {
  gpuCalls.passes++;
  return beginComputePass.call(this, descriptor);
};

/** The part of a kernel compiled by TVM that has a data race. */
const MERGE_KERNEL = `
@group(0) @binding(0) var<storage, read_write> S_ptr : array<f32>;
@group(0) @binding(1) var<storage, read> S_other_ptr : array<f32>;
@compute @workgroup_size(16)
fn merge_state_inplace_kernel() {
  var s_val : array<f32, 1>;
  var s_other_val : array<f32, 1>;
  s_val[0i] = S_ptr[0];
  s_other_val[0i] = S_other_ptr[0];
  S_ptr[0] = s_val[0i] + s_other_val[0i];
}`;

class WatchedEngine extends MLCEngine {
  override async reload(model: string | string[], options?: ChatOptions | ChatOptions[]): Promise<void> {
    await super.reload(model, options);
    watchLoaded(this);
  }
}

function watchLoaded(loaded: MLCEngine): void {
  webLlm = loaded;
  watch(pipeline());
}

function pipeline(): WebLlmPipeline {
  const engine = webLlm as unknown as { readonly loadedModelIdToPipeline: ReadonlyMap<string, WebLlmPipeline> };
  return engine.loadedModelIdToPipeline.get(entry.id)!;
}

function watch(model: WebLlmPipeline): void {
  const { tokenizer } = model;
  const context = model.tvm.lib.webGPUContext;
  const decode = tokenizer.decode.bind(tokenizer);
  const sync = context.sync.bind(context);
  const embedAndForward = model.embedAndForward.bind(model);
  const forwardDecodeToken = model.forwardDecodeToken.bind(model);
  const sampleFromRawLogits = model.sampleFromRawLogits.bind(model);
  const copyTensorToCPUBytes = model.copyTensorToCPUBytes.bind(model);
  tokenizer.decode = (tokens) => {
    own.detokenized.push(tokens);
    return decode(tokens);
  };
  context.sync = async () => {
    await sync();
    await new Promise<void>((resolve) => {
      onSubmit = resolve;
      setTimeout(resolve, POLLING_INTERVAL);
    });
  };
  Object.assign(model, {
    async embedAndForward(data: PromptData, length: number) {
      if (length > 1) own.forwarded.push(data);
      onForward();
      return embedAndForward(data, length);
    },
    async forwardDecodeToken(token: number) {
      own.decoded.push(token);
      return forwardDecodeToken(token);
    },
    async sampleFromRawLogits(...values: Parameters<typeof sampleFromRawLogits>) {
      own.sampled++;
      return sampleFromRawLogits(...values);
    },
    async copyTensorToCPUBytes(...values: Parameters<typeof copyTensorToCPUBytes>) {
      own.copied++;
      return copyTensorToCPUBytes(...values);
    },
    computeImageEmbedSize: (height: number, width: number) => height * width,
  } satisfies Partial<WebLlmPipeline>);
}

const engine = createWebLlmEngine({ loadWebLlm: async () => ({ MLCEngine: WatchedEngine, prebuiltAppConfig }) });

function requestOf(text: string, more: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    ...REQUEST_DEFAULTS,
    model: entry.id,
    messages: [{ role: 'user', content: text }],
    temperature: 0,
    ...more,
  };
}

/** Generates an answer, and counts the calls below the extensions from its start. */
async function ask(request: CompletionRequest, onDelta: (delta: DeltaEvent) => void = () => {}): Promise<Usage> {
  Object.assign(own, { forwarded: [], decoded: [], detokenized: [], sampled: 0, copied: 0 });
  emptySubmits = 0;
  for await (const event of engine.generate(request, never)) {
    if (event.type === 'delta') onDelta(event);
    else if (event.type === 'done') return event.usage;
  }
  throw new Error('The answer has no end.');
}

async function tokensOf(text: string): Promise<readonly number[]> {
  return engine.tokenize({ type: 'text', text, prefix: false, markers: false });
}

/** Returns a bias that makes the model write only this token. */
async function always(text: string): Promise<Pick<CompletionRequest, 'logitBias'>> {
  const [token] = await tokensOf(text);
  return { logitBias: { [String(token)]: 100 } };
}

const forwardedTokens = () => own.forwarded.flatMap((data) => onlyTokens(data) ?? []);
const words = (count: number) => Array.from({ length: count }, (_, index) => `${index % 10}`).join('');

/** For each WebLLM extension, measures an effect that is seen in an answer or in the calls to WebLLM and WebGPU. */
const EFFECTS: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'merge-barrier'() {
    pipeline().tvm.lib.webGPUContext.device.createShaderModule({ code: MERGE_KERNEL });
    return { barriers: lastShader.split('storageBarrier()').length - 1 };
  },
  async 'fewer-gpu-calls'() {
    const counts: (typeof gpuCalls)[] = [];
    await ask(requestOf('Hello', { maxTokens: 8, ...(await always('a')) }), () => {
      counts.push({ ...gpuCalls });
      Object.assign(gpuCalls, { groups: 0, passes: 0 });
    });
    return counts[5];
  },
  async 'device-polling'() {
    await ask(requestOf('Hello', { maxTokens: 3 }));
    return { remindsBrowser: emptySubmits > 0 };
  },
  async 'context-window'() {
    const { promptTokens, completionTokens } = await ask(requestOf(words(WINDOW - 50), await always('a')));
    return { tokens: promptTokens + completionTokens };
  },
  async 'image-tokens'() {
    const image = new OffscreenCanvas(3, 2);
    image.getContext('2d')!.fillRect(0, 0, 3, 2);
    const bytes = new Uint8Array(await (await image.convertToBlob()).arrayBuffer());
    const url = `data:image/png;base64,${btoa(String.fromCodePoint(...bytes))}`;
    const messages = [{ role: 'user', content: [{ type: 'image', url }] }] as const;
    entry.images = true;
    const tokens = await engine.tokenize({ type: 'conversation', request: requestOf('', { messages }), reply: true });
    entry.images = false;
    return { placesOfImage: tokens.filter((token) => token === IMAGE_PLACE).length };
  },
  async 'deferred-readback'() {
    const conversations = [`${words(80)}a`, `b${words(80)}`].map((text) => requestOf(text, { maxTokens: 1 }));
    let copied = 0;
    for (const request of [...conversations, conversations[0]!]) {
      await ask(request);
      await sleep(3 * POLLING_INTERVAL);
      copied += own.copied;
    }
    return { layersWaitedFor: copied };
  },
  async 'prompt-cache'() {
    const request = requestOf(words(40), { maxTokens: 1 });
    await ask(request);
    const { promptTokens, cachedTokens } = await ask(request);
    return { prefilled: forwardedTokens().length, notCached: promptTokens - cachedTokens };
  },
  async 'incremental-detokenizer'() {
    await ask(requestOf('Hello', { maxTokens: 60, ...(await always('a')) }));
    return { detokenizesEnd: own.detokenized.every(({ length }) => length <= 40) };
  },
  async 'cpu-sampling'() {
    let alternatives = 0;
    await ask(requestOf('Hello', { maxTokens: 2, logprobs: true, topLogprobs: 20 }), ({ logprobs }) => {
      alternatives = logprobs?.[0]?.topLogprobs.length ?? alternatives;
    });
    return { alternatives, sampledByWebLlm: own.sampled };
  },
  async 'jump-forward'() {
    const schema = { type: 'object', properties: { temperature: { type: 'boolean' } }, required: ['temperature'] };
    let prompt = 0;
    await ask(requestOf('Hello', { responseFormat: { type: 'json_schema', schema } }), () => {
      prompt ||= own.forwarded.length;
    });
    const runs = own.forwarded.slice(prompt).map((data) => engine.detokenize(onlyTokens(data) ?? []));
    return { computedAtOnce: runs.map((text) => text.replace(/^[{\s]*/, '')) };
  },
  async 'decode-ahead'() {
    const fed: number[] = [];
    await ask(requestOf('Hello', { maxTokens: 5, ...(await always('a')) }), () => fed.push(own.decoded.length));
    return { fed };
  },
  async 'stop-tokens'() {
    // The grammar forces "aab", of which the last token ends the answer.
    const responseFormat = { type: 'regex', pattern: 'aab', param: '' } as const;
    const [stop = -1] = await tokensOf('b');
    let text = '';
    let reason = '';
    const request = requestOf('Hello', { responseFormat, stop: ['none'], stopTokens: [stop], logprobs: true });
    for await (const event of engine.generate(request, new AbortController().signal)) {
      if (event.type === 'delta') text += event.content ?? '';
      if (event.type === 'finish') reason = event.reason;
    }
    return { text, reason };
  },
  async 'interruptible-prefill'() {
    const controller = new AbortController();
    onForward = () => controller.abort();
    own.forwarded = [];
    const request = requestOf(`abort ${words(WINDOW - 50)}`);
    const reading = async () => {
      for await (const _ of engine.generate(request, controller.signal));
    };
    await reading().catch(() => {});
    onForward = () => {};
    return { stopsEarly: forwardedTokens().length < WINDOW / 2 };
  },
  async 'token-prompts'() {
    const letters = await Promise.all(['h', 'e', 'l', 'l', 'o'].map(tokensOf));
    const prompts = [letters.flat()];
    const raw = { prompts, suffix: null, echo: false };
    const { promptTokens } = await ask(requestOf('', { messages: [], raw, maxTokens: 1 }));
    const fed = forwardedTokens();
    return { promptTokens, fed: fed.length > 0 && fed.join() === prompts[0]!.slice(-fed.length).join() };
  },
  async 'watch-device'() {
    // WebLLM unloads itself like this when its device is lost.
    await webLlm.unload();
    const failure = await ask(requestOf('Hello')).catch((thrown: unknown) => thrown);
    return { loadedModel: engine.loadedModel, failure: failure instanceof ApiError ? failure.code : String(failure) };
  },
};

export async function effectOf(extension: string): Promise<unknown> {
  if (engine.loadedModel === null) await engine.load(entry, () => {}, never);
  return EFFECTS[extension]!();
}

/** Returns the longest run of blanks in a JSON answer of a model that prefers blanks to all other tokens. */
export async function blanksInJson(): Promise<number> {
  if (engine.loadedModel === null) await engine.load(entry, () => {}, never);
  let text = '';
  const request = { responseFormat: { type: 'json_object' }, maxTokens: 30, ...(await always(' ')) } as const;
  await ask(requestOf('Hello', request), ({ content }) => (text += content ?? ''));
  return Math.max(0, ...(text.match(/ +/g) ?? []).map(({ length }) => length));
}
