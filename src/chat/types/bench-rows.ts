/** The measurements, in the order of the table. */
export const ROW_NAMES = [
  'load',
  'first-50',
  'first-500',
  'first-1500',
  'decode-100',
  'decode-1500',
  'schema',
  'logprobs',
  'turn-10',
  'two-tabs',
  'memory',
  'energy',
] as const;
export type RowName = (typeof ROW_NAMES)[number];

export type Unit = 'ms' | 'tokens/s' | '×' | 'bytes' | 'J';

/** Unit of a row, and whether a larger value is better. */
export const ROWS: Readonly<Record<RowName, { readonly unit: Unit; readonly more: 'better' | 'worse' }>> = {
  load: { unit: 'ms', more: 'worse' },
  'first-50': { unit: 'ms', more: 'worse' },
  'first-500': { unit: 'ms', more: 'worse' },
  'first-1500': { unit: 'ms', more: 'worse' },
  'decode-100': { unit: 'tokens/s', more: 'better' },
  'decode-1500': { unit: 'tokens/s', more: 'better' },
  schema: { unit: 'tokens/s', more: 'better' },
  logprobs: { unit: 'tokens/s', more: 'better' },
  'turn-10': { unit: '×', more: 'worse' },
  'two-tabs': { unit: '×', more: 'worse' },
  memory: { unit: 'bytes', more: 'worse' },
  energy: { unit: 'J', more: 'worse' },
};

/**
 * The compared sides: this endpoint; WebLLM without it; and wllama without it, on one thread, on all threads, and on
 * the GPU.
 */
export const SIDE_NAMES = ['endpoint', 'webllm', 'wllama-1', 'wllama-all', 'wllama-webgpu'] as const;
export type SideName = (typeof SIDE_NAMES)[number];
