import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS_FOLDER, type LocalModel } from '../../src/command-line/local-models.ts';
import { Float, writeGguf, type GgufTensor } from '../../src/pocket/build/gguf/write-gguf.ts';
import { DIMENSIONS, miniLmFolder } from './embed-texts.ts';

const LAYERS = 6;
const CONTEXT_WINDOW = 512;

/** The model as the site offers it. */
export const MINILM: LocalModel = {
  id: 'all-minilm-l6-v2',
  file: 'all-MiniLM-L6-v2.F32.gguf',
  contextWindow: CONTEXT_WINDOW,
  embedding: { dimensions: DIMENSIONS },
};

/** The names of BERT's tensors in GGUF. `#` stands for the number of the layer. */
const NAMES: Readonly<Record<string, string>> = {
  'embeddings.word_embeddings': 'token_embd',
  'embeddings.position_embeddings': 'position_embd',
  'embeddings.token_type_embeddings': 'token_types',
  'embeddings.LayerNorm': 'token_embd_norm',
  'encoder.layer.#.attention.self.query': 'blk.#.attn_q',
  'encoder.layer.#.attention.self.key': 'blk.#.attn_k',
  'encoder.layer.#.attention.self.value': 'blk.#.attn_v',
  'encoder.layer.#.attention.output.dense': 'blk.#.attn_output',
  'encoder.layer.#.attention.output.LayerNorm': 'blk.#.attn_output_norm',
  'encoder.layer.#.intermediate.dense': 'blk.#.ffn_up',
  'encoder.layer.#.output.dense': 'blk.#.ffn_down',
  'encoder.layer.#.output.LayerNorm': 'blk.#.layer_output_norm',
};

/** Converts all-MiniLM-L6-v2 to a GGUF file in the folder of local models, unless it is there. */
export async function convertMiniLm(): Promise<void> {
  const path = join(MODELS_FOLDER, MINILM.file);
  if (existsSync(path)) return;
  const folder = miniLmFolder();
  const file = writeGguf(header(readVocabulary(folder)), readTensors(join(folder, 'model.safetensors')));
  mkdirSync(MODELS_FOLDER, { recursive: true });
  writeFileSync(`${path}.part`, new Uint8Array(await file.arrayBuffer()));
  renameSync(`${path}.part`, path);
}

/** Returns the tokens in the order of their ids. */
function readVocabulary(folder: string): readonly string[] {
  const { model } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
    readonly model: { readonly vocab: Readonly<Record<string, number>> };
  };
  return Object.entries(model.vocab)
    .toSorted(([, one], [, other]) => one - other)
    .map(([token]) => token);
}

/** Reads the tensors of a file in the format safetensors: the length of the header, the header in JSON, the numbers. */
function readTensors(path: string): readonly GgufTensor[] {
  const { buffer } = Uint8Array.from(readFileSync(path));
  const start = 8 + Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(buffer.slice(8, start))) as Readonly<
    Record<string, { readonly shape: readonly number[]; readonly data_offsets: readonly [number, number] }>
  >;
  return Object.entries(header).flatMap(([name, entry]) => {
    const [, base = '', layer = '', rest = '', kind = ''] = /^(.*?)(?:\.(\d+)(\..*))?\.(weight|bias)$/.exec(name) ?? [];
    const known = NAMES[layer === '' ? base : `${base}.#${rest}`];
    if (known === undefined) return [];
    const [from, to] = entry.data_offsets;
    const values = new Float32Array(buffer.slice(start + from, start + to));
    return [{ name: `${known.replace('#', layer)}.${kind}`, shape: entry.shape.toReversed(), values }];
  });
}

const isSpecial = (token: string): boolean => /^\[.+\]$/.test(token);

function header(vocabulary: readonly string[]): Parameters<typeof writeGguf>[0] {
  const id = (token: string) => vocabulary.indexOf(token);
  return {
    'general.architecture': 'bert',
    'general.name': 'all-MiniLM-L6-v2',
    'general.license': 'apache-2.0',
    'bert.context_length': CONTEXT_WINDOW,
    'bert.embedding_length': DIMENSIONS,
    'bert.feed_forward_length': 4 * DIMENSIONS,
    'bert.block_count': LAYERS,
    'bert.attention.head_count': 12,
    'bert.attention.layer_norm_epsilon': new Float(1e-12),
    'bert.attention.causal': false,
    'bert.pooling_type': 1,
    'tokenizer.ggml.model': 'bert',
    'tokenizer.ggml.pre': 'jina-v2-en',
    'tokenizer.ggml.token_type_count': 2,
    // `▁` marks the beginning of a word, where WordPiece marks the continuation by `##`.
    'tokenizer.ggml.tokens': vocabulary.map((token) =>
      isSpecial(token) ? token : token.startsWith('##') ? token.slice(2) : `▁${token}`,
    ),
    'tokenizer.ggml.token_type': vocabulary.map((token) => (isSpecial(token) ? 3 : 1)),
    'tokenizer.ggml.padding_token_id': id('[PAD]'),
    'tokenizer.ggml.unknown_token_id': id('[UNK]'),
    'tokenizer.ggml.cls_token_id': id('[CLS]'),
    'tokenizer.ggml.bos_token_id': id('[CLS]'),
    'tokenizer.ggml.seperator_token_id': id('[SEP]'),
    'tokenizer.ggml.eos_token_id': id('[SEP]'),
    'tokenizer.ggml.mask_token_id': id('[MASK]'),
  };
}
