import type { MLCEngine } from '@mlc-ai/web-llm';
import type { DirectCall, DirectModel, DirectReply } from '../../shared/measuring/direct-webllm-messages.ts';
import { timeChunks, type AnswerTimes, type MeasuredChunk } from '../../shared/measuring/time-chunks.ts';
import { modelRecord } from './loading/model-record.ts';

// WebLLM in a dedicated worker, as its documentation shows: the baseline of the benchmark. It uses nothing of this
// project's adapter except the addresses under which the caches have a model's files.

let engine: MLCEngine | null = null;

// Imported as the engine worker imports it, so that the build has one copy for both.
const loadWebLlm = () => import('@mlc-ai/web-llm');

addEventListener('message', async ({ data, ports: [reply] }: MessageEvent<DirectCall>) => {
  const send = (message: DirectReply) => reply?.postMessage(message);
  try {
    send({ value: await run(data, () => send({ begun: true })) });
  } catch (thrown) {
    send({ error: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});

async function run(call: DirectCall, onFirst: () => void): Promise<AnswerTimes | null> {
  if (call.type === 'load') {
    await load(call.model);
    return null;
  }
  if (engine === null) throw new Error('No model is loaded.');
  if (call.type === 'stop') {
    await engine.interruptGenerate();
    return null;
  }
  if (call.reset) await engine.resetChat();
  return generate(engine, call.request, onFirst);
}

async function load({ id, contextWindow, ...model }: DirectModel): Promise<void> {
  const { MLCEngine, prebuiltAppConfig } = await loadWebLlm();
  const record = modelRecord({ id, ...model }, prebuiltAppConfig.model_list);
  const loading = new MLCEngine({ appConfig: { model_list: [record], cacheBackend: 'cache' } });
  await loading.reload(id, { context_window_size: contextWindow, sliding_window_size: -1 });
  engine = loading;
}

function generate(
  { chat }: MLCEngine,
  request: Readonly<Record<string, unknown>>,
  onFirst: () => void,
): Promise<AnswerTimes> {
  const options = { ...request, stream: true, stream_options: { include_usage: true } };
  return timeChunks(async function* () {
    const stream = await chat.completions.create(options as unknown as Parameters<typeof chat.completions.create>[0]);
    yield* stream as AsyncIterable<MeasuredChunk>;
  }, onFirst);
}
