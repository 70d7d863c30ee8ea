import { Float, writeGguf, type GgufTensor } from '../../../src/engine-worker/llama-cpp/pocket/write-gguf.ts';

/** The vocabulary. `▁` marks the beginning of a word, as in GGUF files with WordPiece tokenizers. */
const TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].concat(
  ['the', 'sea', 'is', 'blue', 'and', 'deep', 'a', 'b', 'c'].map((word) => `▁${word}`),
  ['s', 'ly'],
);
const [UNKNOWN, FIRST, LAST] = [1, 2, 3];

const WIDTH = 32;
const HEADS = 4;
const LAYERS = 2;
const INNER = 64;
const EPSILON = 1e-12;

type Vector = readonly number[];

export interface TinyBert {
  readonly file: Blob;
  readonly dimensions: number;
  /** Maximum tokens of an input, including `[CLS]` and `[SEP]`. */
  readonly contextWindow: number;
  /** Returns the tokens of words in the vocabulary. */
  tokens(text: string): readonly number[];
  /** Returns the mean of the last layer's outputs as a unit vector, computed without llama.cpp. */
  embed(tokens: readonly number[]): Vector;
  /** Returns the classifier's rank of a document for a query, computed without llama.cpp. */
  rank(query: string, document: string): number;
}

/**
 * Creates a GGUF file of a small BERT with random weights, and computes the same network in TypeScript.
 * @param entries Added to the header.
 * @param ranks Whether the file has a classifier, as reranking models have. Default: no.
 */
export function tinyBert({
  contextWindow = 64,
  ranks = false,
  entries = {},
}: {
  readonly contextWindow?: number;
  readonly ranks?: boolean;
  readonly entries?: Parameters<typeof writeGguf>[0];
} = {}): TinyBert {
  const random = randomNumbers(7);
  const tensors = new Map<string, GgufTensor>();
  const add = (name: string, columns: number, rows = 1, around = 0) => {
    const values = Float32Array.from({ length: columns * rows }, () => around + 0.4 * (random() - 0.5));
    tensors.set(name, { name, shape: rows === 1 ? [columns] : [columns, rows], values });
  };
  const addLinear = (name: string, columns: number, rows: number) => {
    add(`${name}.weight`, columns, rows);
    add(`${name}.bias`, rows);
  };
  const addNorm = (name: string) => {
    add(`${name}.weight`, WIDTH, 1, 1);
    add(`${name}.bias`, WIDTH);
  };
  add('token_embd.weight', WIDTH, TOKENS.length);
  add('token_types.weight', WIDTH, 2);
  add('position_embd.weight', WIDTH, contextWindow);
  addNorm('token_embd_norm');
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_output']) addLinear(`blk.${layer}.${part}`, WIDTH, WIDTH);
    addLinear(`blk.${layer}.ffn_up`, WIDTH, INNER);
    addLinear(`blk.${layer}.ffn_down`, INNER, WIDTH);
    addNorm(`blk.${layer}.attn_output_norm`);
    addNorm(`blk.${layer}.layer_output_norm`);
  }
  if (ranks) {
    addLinear('cls', WIDTH, WIDTH);
    // A tensor with one row is stored with one dimension less, which llama.cpp accepts.
    addLinear('cls.output', WIDTH, 1);
  }

  const row = (name: string, index: number): Vector => {
    const { values } = tensors.get(name)!;
    return [...values.subarray(index * WIDTH, (index + 1) * WIDTH)];
  };
  const linear = (name: string, input: Vector): Vector => {
    const { values: weights } = tensors.get(`${name}.weight`)!;
    return [...tensors.get(`${name}.bias`)!.values].map(
      (bias, index) => bias + input.reduce((sum, value, at) => sum + value * weights[index * input.length + at]!, 0),
    );
  };
  const norm = (name: string, input: Vector): Vector => {
    const mean = sum(input) / WIDTH;
    const deviation = Math.sqrt(sum(input.map((value) => (value - mean) ** 2)) / WIDTH + EPSILON);
    const [weights, biases] = [row(`${name}.weight`, 0), row(`${name}.bias`, 0)];
    return input.map((value, index) => ((value - mean) / deviation) * weights[index]! + biases[index]!);
  };

  const lastLayer = (tokens: readonly number[]): readonly Vector[] => {
    let states = tokens.map((token, place) =>
      norm(
        'token_embd_norm',
        added(row('token_embd.weight', token), row('token_types.weight', 0), row('position_embd.weight', place)),
      ),
    );
    for (let layer = 0; layer < LAYERS; layer++) {
      const part = (name: string) => `blk.${layer}.${name}`;
      const each = (name: string) => states.map((state) => linear(part(name), state));
      const mixed = attention(each('attn_q'), each('attn_k'), each('attn_v'));
      states = states.map((state, place) => {
        const attended = norm(part('attn_output_norm'), added(state, linear(part('attn_output'), mixed[place]!)));
        const inner = linear(part('ffn_up'), attended).map(gelu);
        return norm(part('layer_output_norm'), added(attended, linear(part('ffn_down'), inner)));
      });
    }
    return states;
  };
  const wordTokens = (text: string) => text.split(' ').map((word) => Math.max(TOKENS.indexOf(`▁${word}`), UNKNOWN));

  return {
    file: writeGguf({ ...header(contextWindow), ...entries }, [...tensors.values()]),
    dimensions: WIDTH,
    contextWindow,
    tokens: (text) => [FIRST, ...wordTokens(text), LAST],
    embed(tokens) {
      const states = lastLayer(tokens);
      const mean = added(...states).map((value) => value / states.length);
      const length = Math.hypot(...mean);
      return mean.map((value) => value / length);
    },
    rank(query, document) {
      const [first] = lastLayer([FIRST, ...wordTokens(query), LAST, ...wordTokens(document)]);
      return linear('cls.output', linear('cls', first!).map(Math.tanh))[0]!;
    },
  };
}

function header(contextWindow: number): Parameters<typeof writeGguf>[0] {
  return {
    'general.architecture': 'bert',
    'general.name': 'Tiny BERT',
    'general.license': 'apache-2.0',
    'bert.context_length': contextWindow,
    'bert.embedding_length': WIDTH,
    'bert.feed_forward_length': INNER,
    'bert.block_count': LAYERS,
    'bert.attention.head_count': HEADS,
    'bert.attention.layer_norm_epsilon': new Float(EPSILON),
    'bert.attention.causal': false,
    'bert.pooling_type': 1,
    'tokenizer.ggml.model': 'bert',
    'tokenizer.ggml.pre': 'jina-v2-en',
    'tokenizer.ggml.token_type_count': 2,
    'tokenizer.ggml.tokens': TOKENS,
    'tokenizer.ggml.token_type': TOKENS.map((token) => (token.startsWith('[') ? 3 : 1)),
    'tokenizer.ggml.padding_token_id': 0,
    'tokenizer.ggml.unknown_token_id': UNKNOWN,
    'tokenizer.ggml.cls_token_id': FIRST,
    'tokenizer.ggml.bos_token_id': FIRST,
    'tokenizer.ggml.seperator_token_id': LAST,
    'tokenizer.ggml.eos_token_id': LAST,
    'tokenizer.ggml.mask_token_id': 4,
  };
}

/** Attention in which every token attends to every token. */
function attention(queries: readonly Vector[], keys: readonly Vector[], values: readonly Vector[]): readonly Vector[] {
  const size = WIDTH / HEADS;
  return queries.map((query) =>
    Array.from({ length: HEADS }, (_, head) => {
      const own = (vector: Vector) => vector.slice(head * size, (head + 1) * size);
      const scores = keys.map((key) => Math.exp(product(own(query), own(key)) / Math.sqrt(size)));
      const all = sum(scores);
      return added(...values.map((value, place) => own(value).map((part) => (part * scores[place]!) / all)));
    }).flat(),
  );
}

function gelu(value: number): number {
  return 0.5 * value * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3)));
}

function sum(values: Vector): number {
  return values.reduce((total, value) => total + value, 0);
}

function product(one: Vector, other: Vector): number {
  return sum(one.map((value, index) => value * other[index]!));
}

function added(...vectors: readonly Vector[]): Vector {
  return vectors[0]!.map((_, index) => sum(vectors.map((vector) => vector[index]!)));
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
