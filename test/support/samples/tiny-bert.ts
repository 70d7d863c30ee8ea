import { Float, writeGguf } from '../../../src/pocket/build/gguf/write-gguf.ts';
import { added, attention, gelu, layerNorm, linear, type Vector } from './network.ts';
import { RandomTensors } from './random-tensors.ts';

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
  const tensors = new RandomTensors(7);
  tensors.add('token_embd.weight', [WIDTH, TOKENS.length]);
  tensors.add('token_types.weight', [WIDTH, 2]);
  tensors.add('position_embd.weight', [WIDTH, contextWindow]);
  tensors.addNorm('token_embd_norm', WIDTH);
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_output'])
      tensors.addLinear(`blk.${layer}.${part}`, WIDTH, WIDTH);
    tensors.addLinear(`blk.${layer}.ffn_up`, WIDTH, INNER);
    tensors.addLinear(`blk.${layer}.ffn_down`, INNER, WIDTH);
    tensors.addNorm(`blk.${layer}.attn_output_norm`, WIDTH);
    tensors.addNorm(`blk.${layer}.layer_output_norm`, WIDTH);
  }
  if (ranks) {
    tensors.addLinear('cls', WIDTH, WIDTH);
    // llama.cpp accepts one row with and without a dimension of length 1.
    tensors.addLinear('cls.output', WIDTH, 1);
  }

  const row = (name: string, index: number): Vector => [
    ...tensors.values(name).subarray(index * WIDTH, (index + 1) * WIDTH),
  ];
  const apply = (name: string, input: Vector): Vector =>
    linear(tensors.values(`${name}.weight`), input, tensors.values(`${name}.bias`));
  const norm = (name: string, input: Vector): Vector =>
    layerNorm(input, tensors.values(`${name}.weight`), tensors.values(`${name}.bias`), EPSILON);

  const lastLayer = (tokens: readonly number[]): readonly Vector[] => {
    let states = tokens.map((token, place) =>
      norm(
        'token_embd_norm',
        added(row('token_embd.weight', token), row('token_types.weight', 0), row('position_embd.weight', place)),
      ),
    );
    for (let layer = 0; layer < LAYERS; layer++) {
      const part = (name: string) => `blk.${layer}.${name}`;
      const each = (name: string) => states.map((state) => apply(part(name), state));
      const mixed = attention(each('attn_q'), each('attn_k'), each('attn_v'), HEADS);
      states = states.map((state, place) => {
        const attended = norm(part('attn_output_norm'), added(state, apply(part('attn_output'), mixed[place]!)));
        const inner = apply(part('ffn_up'), attended).map(gelu);
        return norm(part('layer_output_norm'), added(attended, apply(part('ffn_down'), inner)));
      });
    }
    return states;
  };
  const wordTokens = (text: string) => text.split(' ').map((word) => Math.max(TOKENS.indexOf(`▁${word}`), UNKNOWN));

  return {
    file: writeGguf({ ...header(contextWindow), ...entries }, tensors.all),
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
      return apply('cls.output', apply('cls', first!).map(Math.tanh))[0]!;
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
