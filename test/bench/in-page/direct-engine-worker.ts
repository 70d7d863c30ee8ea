import { MLCEngine } from '@mlc-ai/web-llm';
import { builtInModel } from '../../../src/shared/built-in-model.ts';
import type { BenchRequest, DirectReply } from '../bench-request.ts';
import { timePieces } from '../time-pieces.ts';

// A dedicated worker with WebLLM by itself, as its own documentation shows: the baseline of the bench.
const { id, modelUrl, libraryUrl, contextWindow } = builtInModel(`${location.origin}/`);
const engine = new MLCEngine({
  appConfig: { model_list: [{ model: modelUrl, model_id: id, model_lib: libraryUrl }], cacheBackend: 'cache' },
});
const loaded = engine.reload(id, { context_window_size: contextWindow, sliding_window_size: -1 });

addEventListener('message', async ({ data, ports: [reply] }: MessageEvent<BenchRequest | null>) => {
  await loaded;
  // The first message only asks for the model.
  reply?.postMessage(data && (await generate(data)));
});

async function generate({ prompt, tokens }: BenchRequest): Promise<DirectReply> {
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
