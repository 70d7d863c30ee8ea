import { Float, Integer, writeGguf } from '../../../src/pocket/build/gguf/write-gguf.ts';
import { added, attention, gelu, layerNorm, linear, rmsNorm, silu, type Vector } from './network.ts';
import { RandomTensors } from './random-tensors.ts';

type Entries = Parameters<typeof writeGguf>[0];

/** The vocabulary: markers, and one token for each printable ASCII character; `▁` is the space. */
const TOKENS = ['<unk>', '<s>', '</s>', '\n', '▁'].concat(
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
);
const [UNKNOWN, BEGIN, END] = [0, 1, 2];

/** Width of the language model's vectors. */
const WIDTH = 64;
const HEADS = 2;
const LAYERS = 2;
const EPSILON = 1e-5;

/** The chat template of a small model. */
const TEMPLATE =
  "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\\n' }}{% endfor %}assistant: ";

/**
 * Creates a GGUF file of a small language model with random weights. What it writes has no meaning, but each token of the
 * prompt changes the probabilities of the next one.
 */
export function tinyChatModel({ contextWindow = 512, template = TEMPLATE } = {}): Blob {
  return writeGguf(chatHeader(contextWindow, template), chatTensors().all);
}

/**
 * Creates the two files of {@link tinyChatModel} as llama.cpp's own tool splits it: only the first one says what the model
 * is. Source: `gguf-split.cpp`.
 */
export function splitChatModel(): readonly [Blob, Blob] {
  const tensors = chatTensors().all;
  const part = (number: number): Entries => ({
    'split.no': new Integer('uint16', number),
    'split.count': new Integer('uint16', 2),
    'split.tensors.count': new Integer('int32', tensors.length),
  });
  const half = Math.ceil(tensors.length / 2);
  return [
    writeGguf({ ...chatHeader(512, TEMPLATE), ...part(0) }, tensors.slice(0, half)),
    writeGguf(part(1), tensors.slice(half)),
  ];
}

function chatHeader(contextWindow: number, template: string): Entries {
  return {
    'general.architecture': 'llama',
    'general.name': 'Tiny Vision',
    'general.license': 'apache-2.0',
    'llama.context_length': contextWindow,
    'llama.embedding_length': WIDTH,
    'llama.feed_forward_length': 2 * WIDTH,
    'llama.block_count': LAYERS,
    'llama.attention.head_count': HEADS,
    'llama.attention.layer_norm_rms_epsilon': new Float(EPSILON),
    'llama.rope.dimension_count': WIDTH / HEADS,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': TOKENS,
    'tokenizer.ggml.scores': new Float32Array(TOKENS.length),
    'tokenizer.ggml.token_type': TOKENS.map((_, id) => (id === UNKNOWN ? 2 : id === BEGIN || id === END ? 3 : 1)),
    'tokenizer.ggml.unknown_token_id': UNKNOWN,
    'tokenizer.ggml.bos_token_id': BEGIN,
    'tokenizer.ggml.eos_token_id': END,
    'tokenizer.ggml.add_space_prefix': false,
    'tokenizer.chat_template': template,
  };
}

function chatTensors(): RandomTensors {
  const tensors = new RandomTensors(3);
  tensors.add('token_embd.weight', [WIDTH, TOKENS.length], { spread: 1 });
  for (let layer = 0; layer < LAYERS; layer++) {
    const part = (name: string) => `blk.${layer}.${name}.weight`;
    tensors.add(part('attn_norm'), [WIDTH], { around: 1 });
    for (const name of ['attn_q', 'attn_k', 'attn_v', 'attn_output']) tensors.add(part(name), [WIDTH, WIDTH]);
    tensors.add(part('ffn_norm'), [WIDTH], { around: 1 });
    tensors.add(part('ffn_gate'), [WIDTH, 2 * WIDTH]);
    tensors.add(part('ffn_up'), [WIDTH, 2 * WIDTH]);
    tensors.add(part('ffn_down'), [2 * WIDTH, WIDTH]);
  }
  tensors.add('output_norm.weight', [WIDTH], { around: 1 });
  tensors.add('output.weight', [WIDTH, TOKENS.length]);
  return tensors;
}

/** Width of an image encoder's vectors. */
const SIGHT = 32;
const SIGHT_HEADS = 4;
const SIGHT_LAYERS = 2;

/** The kinds of image encoders: that of LLaVA, and that of Gemma 3, whose language model evaluates an image in one step. */
const KINDS = {
  mlp: { imageSize: 32, patch: 8, tokens: 16 },
  gemma3: { imageSize: 64, patch: 2, tokens: 64 },
} as const;

/** Tokens that an image takes in the prompt, by the kind of its encoder. */
export const IMAGE_TOKENS = { mlp: KINDS.mlp.tokens, gemma3: KINDS.gemma3.tokens } as const;

interface EncoderOptions {
  readonly kind?: keyof typeof KINDS;
  /** Width of the vectors of the language model. Default: that of {@link tinyChatModel}. */
  readonly width?: number;
  /** Added to the header. */
  readonly entries?: Entries;
}

/** Creates the mmproj file of a small image encoder with random weights. */
export function tinyMmproj({ kind = 'mlp', width = WIDTH, entries = {} }: EncoderOptions = {}): Blob {
  const { imageSize, patch } = KINDS[kind];
  const header: Entries = {
    'general.architecture': 'clip',
    'general.type': 'mmproj',
    'general.name': 'Tiny Sight',
    'clip.has_vision_encoder': true,
    'clip.projector_type': kind,
    'clip.use_gelu': true,
    'clip.vision.image_size': imageSize,
    'clip.vision.patch_size': patch,
    'clip.vision.embedding_length': SIGHT,
    'clip.vision.feed_forward_length': 2 * SIGHT,
    'clip.vision.projection_dim': width,
    'clip.vision.block_count': SIGHT_LAYERS,
    'clip.vision.attention.head_count': SIGHT_HEADS,
    'clip.vision.attention.layer_norm_epsilon': new Float(EPSILON),
    'clip.vision.image_mean': Float32Array.of(0.5, 0.5, 0.5),
    'clip.vision.image_std': Float32Array.of(0.5, 0.5, 0.5),
  };
  return writeGguf({ ...header, ...entries }, encoderTensors(kind, width).all);
}

function encoderTensors(kind: keyof typeof KINDS, width: number): RandomTensors {
  const { imageSize, patch } = KINDS[kind];
  const tensors = new RandomTensors(5);
  tensors.add('v.patch_embd.weight', [patch, patch, 3, SIGHT]);
  tensors.add('v.position_embd.weight', [SIGHT, (imageSize / patch) ** 2]);
  for (let layer = 0; layer < SIGHT_LAYERS; layer++) {
    const part = (name: string) => `v.blk.${layer}.${name}`;
    for (const name of ['attn_q', 'attn_k', 'attn_v', 'attn_out']) tensors.addLinear(part(name), SIGHT, SIGHT);
    for (const name of ['ln1', 'ln2']) tensors.addNorm(part(name), SIGHT);
    tensors.addLinear(part('ffn_up'), SIGHT, 2 * SIGHT);
    tensors.addLinear(part('ffn_down'), 2 * SIGHT, SIGHT);
  }
  if (kind === 'mlp') {
    tensors.addLinear('mm.0', SIGHT, width);
    tensors.addLinear('mm.2', width, width);
  } else {
    tensors.add('v.patch_embd.bias', [SIGHT]);
    tensors.addNorm('v.post_ln', SIGHT);
    tensors.add('mm.soft_emb_norm.weight', [SIGHT], { around: 1 });
    tensors.add('mm.input_projection.weight', [width, SIGHT]);
  }
  return tensors;
}

/**
 * Computes, without llama.cpp, the logarithms of the probabilities of the token after a prompt, the most likely first. The
 * model is {@link tinyChatModel} with the image encoder of LLaVA's kind.
 * @param prompt Texts as the chat template writes them, and images of one colour (red, green and blue, 0…255).
 */
export function tinyVisionReference(
  prompt: readonly (string | readonly [number, number, number])[],
): readonly number[] {
  const tensors = chatTensors();
  const weights = (name: string) => tensors.values(`${name}.weight`);
  const embedding = (token: number): Vector => [...weights('token_embd').subarray(token * WIDTH, (token + 1) * WIDTH)];
  let states: readonly Vector[] = [
    embedding(BEGIN),
    ...prompt.flatMap((part) =>
      typeof part === 'string'
        ? [...part.replaceAll(' ', '▁')].map((character) => embedding(TOKENS.indexOf(character)))
        : imageVectors(part),
    ),
  ];
  for (let layer = 0; layer < LAYERS; layer++) {
    const apply = (name: string, input: Vector) => linear(weights(`blk.${layer}.${name}`), input);
    const normed = states.map((state) => rmsNorm(state, weights(`blk.${layer}.attn_norm`), EPSILON));
    const [queries, keys] = ['attn_q', 'attn_k'].map((name) =>
      normed.map((state, place) => rotated(apply(name, state), place)),
    );
    const values = normed.map((state) => apply('attn_v', state));
    const mixed = attention(queries!, keys!, values, HEADS, true);
    states = states.map((state, place) => {
      const attended = added(state, apply('attn_output', mixed[place]!));
      const input = rmsNorm(attended, weights(`blk.${layer}.ffn_norm`), EPSILON);
      const gates = apply('ffn_gate', input).map(silu);
      const inner = apply('ffn_up', input).map((value, index) => value * gates[index]!);
      return added(attended, apply('ffn_down', inner));
    });
  }
  const logits = linear(weights('output'), rmsNorm(states.at(-1)!, weights('output_norm'), EPSILON));
  const all = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits.map((logit) => logit - all).toSorted((one, other) => other - one);
}

/** Rotates each pair of neighbours in each head by the token's place. */
function rotated(vector: Vector, place: number): Vector {
  const size = WIDTH / HEADS;
  return vector.map((value, index) => {
    const angle = place * 10_000 ** (-((index % size) - (index % 2)) / size);
    const other = vector[index ^ 1]!;
    return value * Math.cos(angle) + (index % 2 === 0 ? -other : other) * Math.sin(angle);
  });
}

/** Computes the vectors of an image of one colour for the language model. LLaVA does not use the last layer. */
function imageVectors(colour: readonly [number, number, number]): readonly Vector[] {
  const tensors = encoderTensors('mlp', WIDTH);
  const apply = (name: string, input: Vector) =>
    linear(tensors.values(`${name}.weight`), input, tensors.values(`${name}.bias`));
  const norm = (name: string, input: Vector) =>
    layerNorm(input, tensors.values(`${name}.weight`), tensors.values(`${name}.bias`), EPSILON);
  const { patch, tokens } = KINDS.mlp;
  const pixels = colour.flatMap((value) => Array<number>(patch ** 2).fill(value / 127.5 - 1));
  const patchVector = linear(tensors.values('v.patch_embd.weight'), pixels);
  const positions = tensors.values('v.position_embd.weight');
  let states: readonly Vector[] = Array.from({ length: tokens }, (_, place) =>
    added(patchVector, [...positions.subarray(place * SIGHT, (place + 1) * SIGHT)]),
  );
  for (let layer = 0; layer < SIGHT_LAYERS - 1; layer++) {
    const part = (name: string) => `v.blk.${layer}.${name}`;
    const normed = states.map((state) => norm(part('ln1'), state));
    const each = (name: string) => normed.map((state) => apply(part(name), state));
    const mixed = attention(each('attn_q'), each('attn_k'), each('attn_v'), SIGHT_HEADS);
    states = states.map((state, place) => {
      const attended = added(state, apply(part('attn_out'), mixed[place]!));
      const inner = apply(part('ffn_up'), norm(part('ln2'), attended)).map(gelu);
      return added(attended, apply(part('ffn_down'), inner));
    });
  }
  return states.map((state) => apply('mm.2', apply('mm.0', state).map(gelu)));
}
