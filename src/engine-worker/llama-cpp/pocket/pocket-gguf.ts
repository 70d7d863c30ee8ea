import * as v from 'valibot';
import { WINDOW, WINDOW_FREQUENCY, WINDOW_WEIGHTS } from './attention-window.ts';
import { POCKET_TEMPLATE } from './pocket-template.ts';
import { Float, writeGguf, type GgufTensor } from './write-gguf.ts';

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
    head_dim: v.number(),
    intermediate_size: v.number(),
    rope_theta: v.number(),
    rms_norm_eps: v.number(),
    attention_window: v.literal(WINDOW.tokens),
    global_key_value_heads: v.array(v.number()),
    context_window_size: v.pipe(v.number(), v.maxValue(WINDOW.contextWindow)),
    weight_bits: v.literal(8),
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

/** Token types of GGUF. */
const TOKEN = { normal: 1, control: 3, unused: 5 } as const;

interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array<ArrayBuffer>;
}

/**
 * Converts Pocket's package to a GGUF file, so that llama.cpp can run the same weights where WebGPU is missing, without
 * a further download.
 * @throws v.ValiError if the package is not as expected.
 */
export async function pocketGguf(files: PocketPackage): Promise<Blob> {
  const { model_config: shape } = v.parse(Config, files.config);
  const matrix = await readWeights(v.parse(Weights, files.weights), files.shard);
  // There is no output matrix, so llama.cpp uses the embedding matrix for it, as Pocket does.
  const tensors = [
    named('token_embd.weight', matrix('embedding.weight')),
    vector('output_norm.weight', matrix('final_norm.weight').values),
    vector('rope_freqs.weight', frequencyFactors(shape)),
  ];
  const { num_attention_heads: heads, num_key_value_heads: keyHeads, head_dim: dimension } = shape;
  for (let layer = 0; layer < shape.num_hidden_layers; layer++) {
    const ours = (name: string) => matrix(`layers.${layer}.${name}.weight`);
    const add = (name: string, weights: Matrix) => tensors.push(named(`blk.${layer}.${name}.weight`, weights));
    const [q, k, values] = splitRows(
      ours('qkv'),
      [heads, keyHeads, keyHeads].map((count) => count * dimension),
    );
    const [gate, up] = splitRows(ours('gate_up'), [shape.intermediate_size, shape.intermediate_size]);
    add('attn_q', scaled(rotaryRows(q!, shape, heads), Math.sqrt(headDimension(shape) / dimension)));
    add('attn_k', rotaryRows(k!, shape, keyHeads));
    add('attn_v', paddedHeads(values!, shape, keyHeads));
    add('attn_output', transposed(paddedHeads(transposed(ours('output')), shape, heads)));
    add('ffn_gate', gate!);
    add('ffn_up', up!);
    add('ffn_down', ours('down'));
    const globals = shape.global_key_value_heads[layer] ?? 0;
    tensors.push(
      vector(`blk.${layer}.attn_norm.weight`, ours('attention_norm').values),
      vector(`blk.${layer}.ffn_norm.weight`, ours('mlp_norm').values),
      vector(
        `blk.${layer}.attn_q.bias`,
        windowBiases(shape, heads, () => Math.sign),
      ),
      vector(
        `blk.${layer}.attn_k.bias`,
        windowBiases(shape, keyHeads, (head) => () => (head < globals ? 0 : 1)),
      ),
    );
  }
  return writeGguf({ ...header(shape), ...vocabulary(v.parse(Tokenizer, files.tokenizer), shape) }, tensors);
}

function vector(name: string, values: Float32Array<ArrayBuffer>): GgufTensor {
  return { name, shape: [values.length], values };
}

function named(name: string, { rows, columns, values }: Matrix): GgufTensor {
  return { name, shape: [columns, rows], values };
}

function header(shape: Shape): Parameters<typeof writeGguf>[0] {
  return {
    'general.architecture': 'llama',
    'general.name': 'Pocket',
    'general.license': 'apache-2.0',
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

/** Reads tensors by name. Tensors of 8-bit numbers have a scale for each group of columns. */
async function readWeights(
  { records: shards }: v.InferOutput<typeof Weights>,
  read: PocketPackage['shard'],
): Promise<(name: string) => Matrix> {
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
  return (name) => {
    const plain = found.get(name);
    if (plain !== undefined) return { rows: 1, columns: plain.shape[0]!, values: new Float32Array(plain.bytes) };
    const quantized = new Int8Array(required(`${name}.q`).bytes);
    const { shape, bytes } = required(`${name}.scale`);
    const scales = new Float32Array(bytes);
    const group = quantized.length / scales.length;
    const values = new Float32Array(quantized.length);
    for (let index = 0; index < values.length; index++)
      values[index] = quantized[index]! * scales[Math.floor(index / group)]!;
    return { rows: shape[0]!, columns: values.length / shape[0]!, values };
  };
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

function splitRows({ columns, values }: Matrix, counts: readonly number[]): readonly Matrix[] {
  let start = 0;
  return counts.map((rows) => ({
    rows,
    columns,
    values: values.slice(start, (start += rows * columns)),
  }));
}

/**
 * Copies the rows of each head into a larger head. @param place Returns the source row for a row of the larger head;
 * null for zeros.
 */
function rearranged(
  { rows, columns, values }: Matrix,
  shape: Shape,
  heads: number,
  place: (row: number) => number | null,
): Matrix {
  const own = rows / heads;
  const dimension = headDimension(shape);
  const result = new Float32Array(heads * dimension * columns);
  for (let row = 0; row < heads * dimension; row++) {
    const from = place(row % dimension);
    if (from === null) continue;
    const start = (Math.floor(row / dimension) * own + from) * columns;
    result.set(values.subarray(start, start + columns), row * columns);
  }
  return { rows: heads * dimension, columns, values: result };
}

/**
 * Reorders rows for the rotary embedding: llama.cpp rotates pairs of neighbouring rows, Pocket a row of the first half
 * with one of the second half.
 */
function rotaryRows(matrix: Matrix, shape: Shape, heads: number): Matrix {
  const half = shape.head_dim / 2;
  return rearranged(matrix, shape, heads, (row) => (row < 2 * half ? (row % 2) * half + (row >> 1) : null));
}

function paddedHeads(matrix: Matrix, shape: Shape, heads: number): Matrix {
  return rearranged(matrix, shape, heads, (row) => (row < shape.head_dim ? row : null));
}

function transposed({ rows, columns, values }: Matrix): Matrix {
  const result = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) result[column * rows + row] = values[row * columns + column]!;
  }
  return { rows: columns, columns: rows, values: result };
}

function scaled({ rows, columns, values }: Matrix, factor: number): Matrix {
  return { rows, columns, values: values.map((value) => value * factor) };
}
