/** Parts of transformer networks, computed as simply as possible. */

export type Vector = readonly number[];

/** @param weights The rows of a matrix, one after the other. @param biases Default: none. */
export function linear(weights: ArrayLike<number>, input: Vector, biases?: ArrayLike<number>): Vector {
  return Array.from({ length: weights.length / input.length }, (_, row) =>
    input.reduce(
      (sum, value, column) => sum + value * weights[row * input.length + column]!,
      biases === undefined ? 0 : biases[row]!,
    ),
  );
}

export function layerNorm(
  input: Vector,
  weights: ArrayLike<number>,
  biases: ArrayLike<number>,
  epsilon: number,
): Vector {
  const mean = sum(input) / input.length;
  const deviation = Math.sqrt(sum(input.map((value) => (value - mean) ** 2)) / input.length + epsilon);
  return input.map((value, index) => ((value - mean) / deviation) * weights[index]! + biases[index]!);
}

export function rmsNorm(input: Vector, weights: ArrayLike<number>, epsilon: number): Vector {
  const root = Math.sqrt(sum(input.map((value) => value ** 2)) / input.length + epsilon);
  return input.map((value, index) => (value / root) * weights[index]!);
}

/** @param isCausal Whether each token attends only to itself and to those before it. Default: to all. */
export function attention(
  queries: readonly Vector[],
  keys: readonly Vector[],
  values: readonly Vector[],
  heads: number,
  isCausal = false,
): readonly Vector[] {
  const size = queries[0]!.length / heads;
  return queries.map((query, place) => {
    const seen = isCausal ? place + 1 : keys.length;
    return Array.from({ length: heads }, (_, head) => {
      const own = (vector: Vector) => vector.slice(head * size, (head + 1) * size);
      const scores = keys.slice(0, seen).map((key) => Math.exp(product(own(query), own(key)) / Math.sqrt(size)));
      const all = sum(scores);
      return added(...scores.map((score, index) => own(values[index]!).map((part) => (part * score) / all)));
    }).flat();
  });
}

export function gelu(value: number): number {
  return 0.5 * value * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3)));
}

export function silu(value: number): number {
  return value / (1 + Math.exp(-value));
}

function sum(values: Vector): number {
  return values.reduce((total, value) => total + value, 0);
}

export function added(...vectors: readonly Vector[]): Vector {
  return vectors[0]!.map((_, index) => sum(vectors.map((vector) => vector[index]!)));
}

function product(one: Vector, other: Vector): number {
  return sum(one.map((value, index) => value * other[index]!));
}
