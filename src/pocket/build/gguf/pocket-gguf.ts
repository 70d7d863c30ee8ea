import * as v from 'valibot';
import { WINDOW, WINDOW_FREQUENCY, WINDOW_WEIGHTS } from './attention-window.ts';
import { POCKET_TEMPLATE } from './pocket-template.ts';
import { BLOCK, Float, writeGguf, type GgufTensor } from './write-gguf.ts';

/** The files in the package of Pocket, the built-in chat model. */
export interface PocketPackage {
  /** `mlc-chat-config.json` */
  readonly config: unknown;
  /** `tensor-cache.json` */
  readonly weights: unknown;
  /** `tokenizer.json` */
  readonly tokenizer: unknown;
  /** Reads a weights file that `tensor-cache.json` names. */
  readonly shard: (name: string) => Promise<ArrayBuffer>;
}

const Config = v.object({
  model_config: v.object({
    vocab_size: v.number(),
    hidden_size: v.number(),
    num_hidden_layers: v.number(),
    num_attention_heads: v.number(),
    num_key_value_heads: v.number(),
    head_dim: v.pipe(v.number(), v.multipleOf(BLOCK.numbers)),
    intermediate_size: v.number(),
    rope_theta: v.number(),
    rms_norm_eps: v.number(),
    attention_window: v.literal(WINDOW.tokens),
    global_key_value_heads: v.array(v.number()),
    context_window_size: v.pipe(v.number(), v.maxValue(WINDOW.contextWindow)),
    weight_bits: v.literal(8),
    weight_group_size: v.pipe(v.number(), v.multipleOf(BLOCK.numbers)),
  }),
});

type Shape = v.InferOutput<typeof Config>['model_config'];

const Weights = v.object({
  records: v.array(
    v.object({
      dataPath: v.string(),
      records: v.array(
        v.object({ name: v.string(), shape: v.array(v.number()), byteOffset: v.number(), nbytes: v.number() }),
      ),
    }),
  ),
});

const Tokenizer = v.object({
  added_tokens: v.array(v.object({ id: v.number(), content: v.string(), special: v.boolean() })),
  model: v.object({ vocab: v.record(v.string(), v.number()), merges: v.array(v.tuple([v.string(), v.string()])) }),
});

/** Id of the token that ends each turn. */
const END = 0;

/** GGUF's number for a file whose matrices are in 8-bit blocks. */
const Q8_0_FILE = 7;

/** Token types of GGUF. */
const TOKEN = { normal: 1, control: 3, unused: 5 } as const;

/** A matrix of 8-bit numbers in blocks of columns, row by row. */
interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly blocks: Uint8Array<ArrayBuffer>;
}

/**
 * Converts Pocket's package to a GGUF file, by which llama.cpp runs the same weights where WebGPU is missing.
 * @throws v.ValiError if the package is not as expected.
 */
export async function pocketGguf(files: PocketPackage): Promise<Blob> {
  const { model_config: shape } = v.parse(Config, files.config);
  const { matrix, vector } = await readWeights(v.parse(Weights, files.weights), files.shard);
  // There is no output matrix, so llama.cpp uses the embedding matrix for it, as Pocket does.
  const tensors = [
    named('token_embd.weight', matrix('embedding')),
    floats('output_norm.weight', vector('final_norm')),
    floats('rope_freqs.weight', frequencyFactors(shape)),
  ];
  const { num_attention_heads: heads, num_key_value_heads: keyHeads, head_dim: dimension } = shape;
  // llama.cpp divides scores by the root of the larger dimension.
  const queryFactor = Math.sqrt(headDimension(shape) / dimension);
  for (let layer = 0; layer < shape.num_hidden_layers; layer++) {
    const ours = (name: string, factor?: number) => matrix(`layers.${layer}.${name}`, factor);
    const add = (name: string, weights: Matrix) => tensors.push(named(`blk.${layer}.${name}.weight`, weights));
    const rows = [heads, keyHeads, keyHeads].map((count) => count * dimension);
    const [q] = splitRows(ours('qkv', queryFactor), rows);
    const [, k, values] = splitRows(ours('qkv'), rows);
    const [gate, up] = splitRows(ours('gate_up'), [shape.intermediate_size, shape.intermediate_size]);
    add('attn_q', rotaryRows(q!, shape, heads));
    add('attn_k', rotaryRows(k!, shape, keyHeads));
    add('attn_v', paddedRows(values!, shape, keyHeads));
    add('attn_output', paddedColumns(ours('output'), shape, heads));
    add('ffn_gate', gate!);
    add('ffn_up', up!);
    add('ffn_down', ours('down'));
    const globals = shape.global_key_value_heads[layer] ?? 0;
    tensors.push(
      floats(`blk.${layer}.attn_norm.weight`, vector(`layers.${layer}.attention_norm`)),
      floats(`blk.${layer}.ffn_norm.weight`, vector(`layers.${layer}.mlp_norm`)),
      floats(
        `blk.${layer}.attn_q.bias`,
        windowBiases(shape, heads, () => Math.sign),
      ),
      floats(
        `blk.${layer}.attn_k.bias`,
        windowBiases(shape, keyHeads, (head) => () => (head < globals ? 0 : 1)),
      ),
    );
  }
  return writeGguf({ ...header(shape), ...vocabulary(v.parse(Tokenizer, files.tokenizer), shape) }, tensors);
}

function floats(name: string, values: Float32Array<ArrayBuffer>): GgufTensor {
  return { name, shape: [values.length], values };
}

function named(name: string, { rows, columns, blocks }: Matrix): GgufTensor {
  return { name, shape: [columns, rows], values: blocks };
}

function header(shape: Shape): Parameters<typeof writeGguf>[0] {
  return {
    'general.architecture': 'llama',
    'general.name': 'Pocket',
    'general.license': 'apache-2.0',
    'general.file_type': Q8_0_FILE,
    'llama.context_length': shape.context_window_size,
    'llama.embedding_length': shape.hidden_size,
    'llama.block_count': shape.num_hidden_layers,
    'llama.feed_forward_length': shape.intermediate_size,
    'llama.attention.head_count': shape.num_attention_heads,
    'llama.attention.head_count_kv': shape.num_key_value_heads,
    'llama.attention.key_length': headDimension(shape),
    'llama.attention.value_length': headDimension(shape),
    'llama.attention.layer_norm_rms_epsilon': new Float(shape.rms_norm_eps),
    'llama.rope.dimension_count': headDimension(shape),
    'llama.rope.freq_base': new Float(shape.rope_theta),
    'llama.vocab_size': shape.vocab_size,
    'tokenizer.chat_template': POCKET_TEMPLATE,
  };
}

function vocabulary({ added_tokens: added, model }: v.InferOutput<typeof Tokenizer>, { vocab_size: size }: Shape) {
  const tokens = Array.from({ length: size }, (_, id) => `[unused${id}]`);
  const types: number[] = tokens.map(() => TOKEN.unused);
  const set = (id: number, text: string, type: number) => ([tokens[id], types[id]] = [text, type]);
  for (const [text, id] of Object.entries(model.vocab)) set(id, text, TOKEN.normal);
  for (const { id, content, special } of added) set(id, content, special ? TOKEN.control : TOKEN.normal);
  return {
    'tokenizer.ggml.model': 'gpt2',
    // Splits digits one by one, and other text like GPT-2. Pocket's own pattern splits more, but no merge joins those
    // pieces, so the tokens are the same.
    'tokenizer.ggml.pre': 'starcoder',
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.token_type': types,
    'tokenizer.ggml.merges': model.merges.map((pair) => pair.join(' ')),
    'tokenizer.ggml.bos_token_id': END,
    'tokenizer.ggml.eos_token_id': END,
    'tokenizer.ggml.add_bos_token': false,
  };
}

/**
 * Reads tensors by name. Matrices have a scale for each group of columns; a group is one or more blocks.
 * `matrix` multiplies its numbers by a factor. Default: 1.
 */
async function readWeights({ records: shards }: v.InferOutput<typeof Weights>, read: PocketPackage['shard']) {
  const found = new Map<string, { readonly shape: readonly number[]; readonly bytes: ArrayBuffer }>();
  for (const { dataPath, records } of shards) {
    const shard = await read(dataPath);
    for (const { name, shape, byteOffset, nbytes } of records)
      found.set(name, { shape, bytes: shard.slice(byteOffset, byteOffset + nbytes) });
  }
  const required = (name: string) => {
    const tensor = found.get(name);
    if (tensor === undefined) throw new Error(`The package of Pocket has no ${name}.`);
    return tensor;
  };
  return {
    vector: (name: string) => new Float32Array(required(`${name}.weight`).bytes),
    matrix(name: string, factor = 1): Matrix {
      const numbers = new Uint8Array(required(`${name}.weight.q`).bytes);
      const { shape, bytes } = required(`${name}.weight.scale`);
      const scales = new Float32Array(bytes);
      const blocksPerScale = numbers.length / scales.length / BLOCK.numbers;
      const blocks = new Uint8Array((numbers.length / BLOCK.numbers) * BLOCK.bytes);
      const view = new DataView(blocks.buffer);
      for (let block = 0; block * BLOCK.bytes < blocks.length; block++) {
        view.setUint16(block * BLOCK.bytes, halfFloat(scales[Math.floor(block / blocksPerScale)]! * factor), true);
        const start = block * BLOCK.numbers;
        blocks.set(numbers.subarray(start, start + BLOCK.numbers), (block + 1) * BLOCK.bytes - BLOCK.numbers);
      }
      return { rows: shape[0]!, columns: numbers.length / shape[0]!, blocks };
    },
  };
}

/** The bits of the nearest 16-bit float. @param value Not negative, and less than 65,504. */
function halfFloat(value: number): number {
  const exponent = Math.max(Math.floor(Math.log2(value)), -14);
  // The sum carries into the exponent if the fraction is rounded up to 2. Below 2 ** -14 the exponent stays 0.
  return ((exponent + 14) << 10) + Math.round(value * 2 ** (10 - exponent));
}

/** Returns the dimensions of a head including those for its window, one pair for each weight. */
function headDimension({ head_dim: dimension }: Shape): number {
  return dimension + 2 * WINDOW_WEIGHTS.length;
}

/**
 * Returns the divisors that llama.cpp applies to its rotary frequency, one for each pair of dimensions. The first pairs
 * get the model's own frequencies, the others those of the window.
 */
function frequencyFactors(shape: Shape): Float32Array<ArrayBuffer> {
  const { head_dim: own, rope_theta: base } = shape;
  const dimension = headDimension(shape);
  return Float32Array.from({ length: dimension / 2 }, (_, pair) => {
    const wanted = pair < own / 2 ? base ** ((-2 * pair) / own) : (pair - own / 2 + 1) * WINDOW_FREQUENCY;
    return base ** ((-2 * pair) / dimension) / wanted;
  });
}

/**
 * Returns the biases that give the additional dimensions of each head their constant values. Only the first dimension
 * of each pair gets one. @param factor Returns, for a head and a weight, the factor of the value.
 */
function windowBiases(
  shape: Shape,
  heads: number,
  factor: (head: number) => (weight: number) => number,
): Float32Array<ArrayBuffer> {
  const { head_dim: own } = shape;
  const dimension = headDimension(shape);
  const biases = new Float32Array(heads * dimension);
  for (let head = 0; head < heads; head++) {
    for (const [pair, weight] of WINDOW_WEIGHTS.entries()) {
      // Compensates for llama.cpp's division of scores by the root of the dimension.
      const size = Math.sqrt(Math.abs(weight) * Math.sqrt(dimension));
      biases[head * dimension + own + 2 * pair] = size * factor(head)(weight);
    }
  }
  return biases;
}

/** Bytes of this number of columns in a row. */
function bytesOf(columns: number): number {
  return (columns / BLOCK.numbers) * BLOCK.bytes;
}

function splitRows({ columns, blocks }: Matrix, counts: readonly number[]): readonly Matrix[] {
  let start = 0;
  return counts.map((rows) => ({
    rows,
    columns,
    blocks: blocks.slice(start, (start += rows * bytesOf(columns))),
  }));
}

/**
 * Copies the rows of each head into a larger head. @param place Returns the source row for a row of the larger head;
 * null for zeros.
 */
function rearranged(
  { rows, columns, blocks }: Matrix,
  shape: Shape,
  heads: number,
  place: (row: number) => number | null,
): Matrix {
  const own = rows / heads;
  const dimension = headDimension(shape);
  const bytes = bytesOf(columns);
  const result = new Uint8Array(heads * dimension * bytes);
  for (let row = 0; row < heads * dimension; row++) {
    const from = place(row % dimension);
    if (from === null) continue;
    const start = (Math.floor(row / dimension) * own + from) * bytes;
    result.set(blocks.subarray(start, start + bytes), row * bytes);
  }
  return { rows: heads * dimension, columns, blocks: result };
}

/**
 * Reorders rows for the rotary embedding: llama.cpp rotates pairs of neighbouring rows, Pocket a row of the first half
 * with one of the second half.
 */
function rotaryRows(matrix: Matrix, shape: Shape, heads: number): Matrix {
  const half = shape.head_dim / 2;
  return rearranged(matrix, shape, heads, (row) => (row < 2 * half ? (row % 2) * half + (row >> 1) : null));
}

function paddedRows(matrix: Matrix, shape: Shape, heads: number): Matrix {
  return rearranged(matrix, shape, heads, (row) => (row < shape.head_dim ? row : null));
}

/** Copies the columns of each head into a larger head, whose other columns are zeros. */
function paddedColumns({ rows, blocks }: Matrix, shape: Shape, heads: number): Matrix {
  const [own, larger] = [bytesOf(shape.head_dim), bytesOf(headDimension(shape))];
  const result = new Uint8Array(rows * heads * larger);
  for (let head = 0; head < rows * heads; head++) {
    result.set(blocks.subarray(head * own, (head + 1) * own), head * larger);
  }
  return { rows, columns: heads * headDimension(shape), blocks: result };
}
