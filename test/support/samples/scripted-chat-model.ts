import { Float, writeGguf } from '../../../src/pocket/build/gguf/write-gguf.ts';

export interface ScriptedModel {
  /** The chat template in Jinja; null for a model without one. */
  readonly template: string | null;
  /** Control tokens of the vocabulary. */
  readonly control: readonly string[];
  /** Tokens that the tokenizer recognizes anywhere, but that are no control tokens, such as `<think>`. */
  readonly added?: readonly string[];
  /** The token that ends an answer. */
  readonly end: string;
  /** The token that begins a text; none by default. */
  readonly begin?: string;
  /** The answer, in which control tokens may stand. */
  readonly answer: string;
  /**
   * Number of tokens of the prompt that is answered: each byte and each mark is one. It is needed if a token occurs twice
   * in the answer. Default: the model answers every prompt.
   */
  readonly promptLength?: number;
  /** The most tokens of a prompt and its answer. Default: 4,096. */
  readonly context?: number;
}

const WIDTH = 128;
const LAYER_WIDTH = 32;

/** The letter that stands for each byte in the vocabulary of a byte-level tokenizer. Source: `bytes_to_unicode` of GPT-2. */
const LETTERS: readonly string[] = byteLetters();

function byteLetters(): readonly string[] {
  let further = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(isPrintable ? byte : further++);
  });
}

/**
 * Creates a GGUF file of a chat model (GPT-2 with one layer of zeros) that gives the same answer to every prompt. Which
 * token comes next depends only on the token before: the letters of the answer are tokens of their own, which no prompt
 * contains, and any other token is followed by the first of them. In prompts each byte is a token.
 */
export function scriptedChatModel({
  template,
  control,
  added = [],
  end,
  begin,
  answer,
  promptLength,
  context = 4096,
}: ScriptedModel): Blob {
  const marks = [...control, ...added];
  const pieces = splitAt(answer, marks);
  const tokens = [...LETTERS, ...marks];
  const types = [...LETTERS.map(() => 1), ...control.map(() => 3), ...added.map(() => 4)];
  const steps = pieces.map((piece) => {
    if (marks.includes(piece)) return tokens.indexOf(piece);
    tokens.push([...new TextEncoder().encode(piece)].map((byte) => LETTERS[byte]).join(''));
    types.push(1);
    return tokens.length - 1;
  });
  steps.push(tokens.indexOf(end));
  if (promptLength === undefined && new Set(steps).size < steps.length) {
    throw new Error('An answer in which a token occurs twice needs the length of the prompt.');
  }

  const embedding = new Float32Array(tokens.length * WIDTH);
  const position = new Float32Array(context * WIDTH);
  const output = new Float32Array(tokens.length * WIDTH);
  if (promptLength === undefined) {
    // Each step of the answer has a direction of its own; all other tokens share one, that of the beginning.
    const directionOf = (token: number) => steps.indexOf(token) + 1;
    for (let token = 0; token < tokens.length; token++) embedding.set(direction(directionOf(token)), token * WIDTH);
  } else {
    for (let place = 0; place < context; place++) {
      position.set(direction(Math.max(0, place - promptLength + 1)), place * WIDTH);
    }
  }
  steps.forEach((token, step) => {
    direction(step).forEach((value, index) => (output[token * WIDTH + index]! += value));
  });
  const tensors = {
    'token_embd.weight': { shape: [WIDTH, tokens.length], values: embedding },
    'position_embd.weight': { shape: [WIDTH, context], values: position },
    'output.weight': { shape: [WIDTH, tokens.length], values: output },
    'output_norm.weight': ones(WIDTH),
    'output_norm.bias': zeros(WIDTH),
    'blk.0.attn_norm.weight': ones(WIDTH),
    'blk.0.attn_norm.bias': zeros(WIDTH),
    'blk.0.attn_qkv.weight': zeros(WIDTH, 3 * WIDTH),
    'blk.0.attn_qkv.bias': zeros(3 * WIDTH),
    'blk.0.attn_output.weight': zeros(WIDTH, WIDTH),
    'blk.0.attn_output.bias': zeros(WIDTH),
    'blk.0.ffn_norm.weight': ones(WIDTH),
    'blk.0.ffn_norm.bias': zeros(WIDTH),
    'blk.0.ffn_up.weight': zeros(WIDTH, LAYER_WIDTH),
    'blk.0.ffn_up.bias': zeros(LAYER_WIDTH),
    'blk.0.ffn_down.weight': zeros(LAYER_WIDTH, WIDTH),
    'blk.0.ffn_down.bias': zeros(WIDTH),
  };
  return writeGguf(
    {
      'general.architecture': 'gpt2',
      'general.name': 'Scripted',
      'general.license': 'apache-2.0',
      'gpt2.context_length': context,
      'gpt2.embedding_length': WIDTH,
      'gpt2.block_count': 1,
      'gpt2.feed_forward_length': LAYER_WIDTH,
      'gpt2.attention.head_count': 2,
      'gpt2.attention.layer_norm_epsilon': new Float(1e-5),
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.pre': 'gpt-2',
      'tokenizer.ggml.tokens': tokens,
      'tokenizer.ggml.token_type': types,
      'tokenizer.ggml.merges': ['Ġ Ġ'],
      'tokenizer.ggml.eos_token_id': tokens.indexOf(end),
      'tokenizer.ggml.add_bos_token': begin !== undefined,
      ...(begin !== undefined && { 'tokenizer.ggml.bos_token_id': tokens.indexOf(begin) }),
      ...(template !== null && { 'tokenizer.chat_template': template }),
    },
    Object.entries(tensors).map(([name, tensor]) => ({ name, ...tensor })),
  );
}

function zeros(...shape: readonly number[]) {
  return { shape, values: new Float32Array(shape.reduce((size, length) => size * length, 1)) };
}

function ones(length: number) {
  return { shape: [length], values: new Float32Array(length).fill(1) };
}

/** Cuts a text into marks and pieces of up to six characters. */
function splitAt(text: string, marks: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const mark = marks.find((each) => rest.startsWith(each));
    let length = mark?.length ?? 1;
    if (mark === undefined) {
      while (length < Math.min(6, rest.length) && !marks.some((each) => rest.startsWith(each, length))) length++;
    }
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts;
}

/** Returns one of many vectors whose mean is 0 and which are nearly perpendicular to each other. */
function direction(index: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(WIDTH);
  let state = (index + 1) * 2_654_435_761;
  for (let half = 0; half < WIDTH / 2; half++) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + half * 3_266_489_917) >>> 0;
    const sign = state & 65_536 ? 1 : -1;
    values[2 * half] = sign;
    values[2 * half + 1] = -sign;
  }
  return values;
}
