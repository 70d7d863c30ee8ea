import type { ModelShape } from './model-shape.ts';
import { listParameters } from './parameters.ts';

/** What `_metadata` answers: WebLLM reads the parameters, the chunk size and the kind of cache. */
export function makeMetadata(shape: ModelShape): Record<string, unknown> {
  return {
    model_type: 'llama',
    quantization: `q${shape.weightBits}f32`,
    kv_state_kind: 'kv_cache',
    context_window_size: shape.contextWindow,
    sliding_window_size: -1,
    attention_sink_size: -1,
    prefill_chunk_size: shape.prefillChunk,
    max_batch_size: 1,
    tensor_parallel_shards: 1,
    params: listParameters(shape),
  };
}
