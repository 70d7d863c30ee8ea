import { MLCEngine } from '@mlc-ai/web-llm';
import { engineModelUrl } from '../../../src/engine-worker/models/package/package-address.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { BenchRequest, DirectCall, DirectReply } from '../bench-request.ts';
import { timePieces, type PieceTimes } from '../time-pieces.ts';

// The baseline: WebLLM in a dedicated worker, as its documentation shows.
const { id, modelUrl, libraryUrl, contextWindow } = builtInModel(`${location.origin}/`);
const engine = new MLCEngine({
  appConfig: {
    model_list: [{ model: engineModelUrl(modelUrl), model_id: id, model_lib: libraryUrl }],
    cacheBackend: 'cache',
  },
});
// The first message awaits `loaded`; until then a failure must not be an unhandled rejection.
const loaded = engine.reload(id, { context_window_size: contextWindow, sliding_window_size: -1 });
loaded.catch(() => {});

addEventListener('message', async ({ data: { request, reset }, ports: [reply] }: MessageEvent<DirectCall>) => {
  try {
    await loaded;
    // The first message only loads the model.
    if (reset) await engine.resetChat();
    const begin = () => reply?.postMessage({ begun: true } satisfies DirectReply);
    reply?.postMessage({ value: request && (await generate(request, begin)) } satisfies DirectReply);
  } catch (error) {
    reply?.postMessage({ error: String(error) } satisfies DirectReply);
  }
});

function generate({ messages, ...fields }: BenchRequest, begin: () => void): Promise<PieceTimes> {
  let begun = false;
  return timePieces(async function* () {
    const stream = await engine.chat.completions.create({ messages: [...messages], stream: true, ...fields });
    for await (const { choices } of stream) {
      const piece = choices[0]?.delta.content ?? '';
      if (piece !== '' && !begun) begin();
      begun ||= piece !== '';
      yield piece;
    }
  });
}
