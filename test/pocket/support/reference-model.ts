import type { ModelShape } from '../../../src/pocket/build/model-shape.ts';
import type { ModelTensors } from './random-model.ts';

/** The forward pass in plain TypeScript and double precision, with which the kernels are compared. */
export class ReferenceModel {
  private readonly shape: ModelShape;
  private readonly tensors: ModelTensors;
  private readonly matrices = new Map<string, Float64Array[]>();

  constructor(shape: ModelShape, tensors: ModelTensors) {
    this.shape = shape;
    this.tensors = tensors;
  }

  /** Returns the logits after each token. */
  logits(tokens: number[]): number[][] {
    const embedding = this.matrix('embedding.weight');
    const gain = this.vector('final_norm.weight');
    return this.stream(tokens, true).map((row) => [...times(embedding, norm(row, gain, this.shape.epsilon))]);
  }

  /** Returns the embedding of a text. In an encoder every token attends to all others. */
  embedding(tokens: number[]): number[] {
    const total = this.stream(tokens, false).reduce(sum);
    const length = Math.sqrt(dot(total, total));
    return [...total].map((value) => value / length);
  }

  /** Returns the output of the last layer for each token. */
  private stream(tokens: number[], causal: boolean): Float64Array[] {
    const { layers, epsilon } = this.shape;
    const embedding = this.matrix('embedding.weight');
    let stream = tokens.map((token) => embedding[token]!);
    for (let layer = 0; layer < layers; layer++) {
      const name = `layers.${layer}`;
      const normed = stream.map((row) => norm(row, this.vector(`${name}.attention_norm.weight`), epsilon));
      const attended = this.attention(
        normed.map((row) => times(this.matrix(`${name}.qkv.weight`), row)),
        causal ? layer : null,
      );
      const output = this.matrix(`${name}.output.weight`);
      stream = stream.map((row, index) => sum(row, times(output, attended[index]!)));
      stream = stream.map((row) => sum(row, this.feedForward(name, row)));
    }
    return stream;
  }

  private feedForward(name: string, row: Float64Array): Float64Array {
    const { intermediate, epsilon } = this.shape;
    const normed = norm(row, this.vector(`${name}.mlp_norm.weight`), epsilon);
    const both = times(this.matrix(`${name}.gate_up.weight`), normed);
    const activated = Float64Array.from({ length: intermediate }, (_, index) => {
      const gate = both[index]!;
      return (gate / (1 + Math.exp(-gate))) * both[intermediate + index]!;
    });
    return times(this.matrix(`${name}.down.weight`), activated);
  }

  /**
   * @param layer Layer of a decoder, which decides whether its heads attend to near or to all earlier tokens; null for
   * an encoder.
   */
  private attention(rows: Float64Array[], layer: number | null): Float64Array[] {
    const { heads, keyValueHeads, headDimension: size } = this.shape;
    const part = (row: Float64Array, head: number) => row.subarray(head * size, (head + 1) * size);
    const keys = rows.map((row, position) =>
      Array.from({ length: keyValueHeads }, (_, head) => this.rotate(part(row, heads + head), position)),
    );
    return rows.map((row, position) => {
      const attended = new Float64Array(heads * size);
      for (let head = 0; head < heads; head++) {
        const keyHead = Math.floor(head / (heads / keyValueHeads));
        const query = this.rotate(part(row, head), position);
        const [first, end] =
          layer === null ? [0, keys.length] : [this.firstSeen(layer, keyHead, position), position + 1];
        const scores = keys.slice(first, end).map((key) => dot(query, key[keyHead]!) / Math.sqrt(size));
        softmax(scores).forEach((weight, other) => {
          const value = part(rows[first + other]!, heads + keyValueHeads + keyHead);
          for (let i = 0; i < size; i++) attended[head * size + i]! += weight * value[i]!;
        });
      }
      return attended;
    });
  }

  private firstSeen(layer: number, keyHead: number, position: number): number {
    const { attentionWindow, globalKeyValueHeads } = this.shape;
    return keyHead < (globalKeyValueHeads[layer] ?? 0) ? 0 : Math.max(0, position + 1 - attentionWindow);
  }

  private rotate(values: Float64Array, position: number): Float64Array {
    const half = values.length / 2;
    return values.map((value, index) => {
      const angle = position * this.shape.ropeTheta ** (-(index % half) / half);
      const partner = index < half ? -values[index + half]! : values[index - half]!;
      return value * Math.cos(angle) + partner * Math.sin(angle);
    });
  }

  private vector(name: string): Float32Array {
    return this.tensors.get(name) as Float32Array;
  }

  /** Rows of a matrix, unpacked once. */
  private matrix(name: string): Float64Array[] {
    const known = this.matrices.get(name);
    if (known) return known;
    const { weightBits, weightGroup, hidden, heads, headDimension, intermediate } = this.shape;
    const columns = name.endsWith('output.weight')
      ? heads * headDimension
      : name.endsWith('down.weight')
        ? intermediate
        : hidden;
    const words = this.tensors.get(`${name}.q`) as Uint32Array<ArrayBuffer>;
    const scales = this.vector(`${name}.scale`);
    const packed = unpack(words, weightBits);
    const rows = Array.from({ length: packed.length / columns }, (_, row) =>
      Float64Array.from({ length: columns }, (_, column) => {
        const index = row * columns + column;
        return packed[index]! * scales[Math.floor(index / weightGroup)]!;
      }),
    );
    this.matrices.set(name, rows);
    return rows;
  }
}

export function softmax(values: number[]): number[] {
  const greatest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function unpack(words: Uint32Array<ArrayBuffer>, bits: 4 | 8): ArrayLike<number> {
  if (bits === 8) return new Int8Array(words.buffer);
  return Float64Array.from(
    { length: words.length * 8 },
    (_, index) => ((words[Math.floor(index / 8)]! >>> (4 * (index % 8))) & 15) - 8,
  );
}

function norm(row: Float64Array, gain: Float32Array, epsilon: number): Float64Array {
  const scale = 1 / Math.sqrt(dot(row, row) / row.length + epsilon);
  return row.map((value, index) => value * scale * gain[index]!);
}

function times(matrix: Float64Array[], column: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => dot(row, column));
}

function dot(left: Float64Array, right: Float64Array): number {
  return left.reduce((total, value, index) => total + value * right[index]!, 0);
}

function sum(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((value, index) => value + right[index]!);
}
