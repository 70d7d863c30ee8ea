import type { ModelShape } from './model-shape.ts';

/** One tensor of a package. The library finds it by its index in the list of all tensors. */
export interface Parameter {
  name: string;
  shape: number[];
  dtype: 'uint32' | 'float32';
}

export function listParameters(shape: ModelShape): Parameter[] {
  const { hidden, headDimension, intermediate } = shape;
  const attention = shape.heads * headDimension;
  const keyValue = shape.keyValueHeads * headDimension;
  const layer = (index: number): Parameter[] => [
    vector(`layers.${index}.attention_norm.weight`, hidden),
    ...matrix(shape, `layers.${index}.qkv.weight`, attention + 2 * keyValue, hidden),
    ...matrix(shape, `layers.${index}.output.weight`, hidden, attention),
    vector(`layers.${index}.mlp_norm.weight`, hidden),
    ...matrix(shape, `layers.${index}.gate_up.weight`, 2 * intermediate, hidden),
    ...matrix(shape, `layers.${index}.down.weight`, hidden, intermediate),
  ];
  return [
    ...matrix(shape, 'embedding.weight', shape.vocabulary, hidden),
    ...Array.from({ length: shape.layers }, (_, index) => layer(index)).flat(),
    vector('final_norm.weight', hidden),
  ];
}

/** The tensors of an embedding model, which has no final norm. */
export function listEncoderParameters(shape: ModelShape): Parameter[] {
  return listParameters(shape).filter(({ name }) => name !== 'final_norm.weight');
}

function vector(name: string, size: number): Parameter {
  return { name, shape: [size], dtype: 'float32' };
}

function matrix(shape: ModelShape, name: string, rows: number, columns: number): Parameter[] {
  const words = (columns * shape.weightBits) / 32;
  const groups = columns / shape.weightGroup;
  return [
    { name: `${name}.q`, shape: [rows, words], dtype: 'uint32' },
    { name: `${name}.scale`, shape: [rows, groups], dtype: 'float32' },
  ];
}
