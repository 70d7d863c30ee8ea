import { MLCEngine } from '@mlc-ai/web-llm';
import { engineModelUrl } from '../../../src/engine-worker/models/package-address.ts';
import { builtInModel } from '../../../src/shared/built-in-model.ts';
import type { BenchRequest, DirectReply } from '../bench-request.ts';
import { timePieces, type PieceTimes } from '../time-pieces.ts';

// A dedicated worker with WebLLM by itself, as its own documentation shows: the baseline of the bench.
const { id, modelUrl, libraryUrl, contextWindow } = builtInModel(`${location.origin}/`);
const engine = new MLCEngine({
  appConfig: {
    model_list: [{ model: engineModelUrl(modelUrl), model_id: id, model_lib: libraryUrl }],
    cacheBackend: 'cache',
  },
});
// Whoever asks first hears of a failure.
const loaded = engine.reload(id, { context_window_size: contextWindow, sliding_window_size: -1 });
loaded.catch(() => {});

addEventListener('message', async ({ data, ports: [reply] }: MessageEvent<BenchRequest | null>) => {
  try {
    await loaded;
    // The first message only asks for the model.
    reply?.postMessage({ value: data && (await generate(data)) } satisfies DirectReply);
  } catch (error) {
    reply?.postMessage({ error: String(error) } satisfies DirectReply);
  }
});

async function generate({ prompt, tokens }: BenchRequest): Promise<PieceTimes> {
  await engine.resetChat();
  return timePieces(async function* () {
    const stream = await engine.chat.completions.create({
      messages: [{ role: 'user', content: prompt }],
      stream: true,
      temperature: 0,
      max_tokens: tokens,
      logit_bias: { 0: -100 },
    });
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
  });
}
