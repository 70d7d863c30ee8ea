import { compileEncoderLibrary, compileLibrary } from '../../../src/pocket/build/compile-library.ts';
import { writeModelShape, type ModelShape } from '../../../src/pocket/build/model-shape.ts';
import { listEncoderParameters, listParameters, type Parameter } from '../../../src/pocket/build/list-parameters.ts';
import { makeByteTokenizer } from './byte-tokenizer.ts';
import type { ModelTensors } from './random-model.ts';

type ModelPackage = Map<string, string | Uint8Array>;

/** The files of a chat model's package by name, library included. */
export async function makeModelPackage(shape: ModelShape, tensors: ModelTensors): Promise<ModelPackage> {
  return makePackage(shape, tensors, listParameters(shape), await compileLibrary(shape));
}

/** The files of an embedding model's package by name, library included. */
export async function makeEncoderPackage(shape: ModelShape, tensors: ModelTensors): Promise<ModelPackage> {
  return makePackage(shape, tensors, listEncoderParameters(shape), await compileEncoderLibrary(shape));
}

function makePackage(
  shape: ModelShape,
  tensors: ModelTensors,
  parameters: Parameter[],
  library: Uint8Array,
): ModelPackage {
  const shard = new Uint8Array(parameters.reduce((bytes, { name }) => bytes + tensors.get(name)!.byteLength, 0));
  let byteOffset = 0;
  const records = parameters.map(({ name, shape: sizes, dtype }) => {
    const { buffer } = tensors.get(name)!;
    shard.set(new Uint8Array(buffer), byteOffset);
    const record = {
      name,
      shape: sizes,
      dtype,
      format: 'raw',
      nbytes: buffer.byteLength,
      byteOffset,
    };
    byteOffset += buffer.byteLength;
    return record;
  });
  const tensorCache = {
    metadata: { ParamSize: parameters.length, ParamBytes: shard.length },
    records: [
      {
        dataPath: 'params_shard_0.bin',
        format: 'raw-shard',
        nbytes: shard.length,
        records,
      },
    ],
  };
  return new Map<string, string | Uint8Array>([
    ['mlc-chat-config.json', JSON.stringify(makeChatConfig(shape))],
    ['tensor-cache.json', JSON.stringify(tensorCache)],
    ['tokenizer.json', JSON.stringify(makeByteTokenizer(shape.vocabulary))],
    ['params_shard_0.bin', shard],
    ['library.wasm', library],
  ]);
}

function makeChatConfig(shape: ModelShape): object {
  return {
    version: '0.1.0',
    model_type: 'llama',
    quantization: `q${shape.weightBits}f32`,
    model_config: writeModelShape(shape),
    vocab_size: shape.vocabulary,
    context_window_size: shape.contextWindow,
    sliding_window_size: -1,
    attention_sink_size: -1,
    prefill_chunk_size: shape.prefillChunk,
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    repetition_penalty: 1,
    tokenizer_files: ['tokenizer.json'],
    tokenizer_info: {
      token_postproc_method: 'byte_level',
      prepend_space_in_encode: false,
      strip_space_in_decode: false,
    },
    conv_template: {
      name: 'plain',
      system_template: '{system_message}',
      system_message: '',
      roles: { user: 'user', assistant: 'assistant', tool: 'tool' },
      role_templates: {
        user: '{user_message}',
        assistant: '{assistant_message}',
        tool: '{tool_message}',
      },
      seps: ['\n'],
      role_content_sep: ': ',
      role_empty_sep: ':',
      stop_str: [],
      stop_token_ids: [0],
    },
    bos_token_id: 1,
    eos_token_id: 0,
    pad_token_id: 0,
  };
}
