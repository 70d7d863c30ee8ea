/**
 * Parameters of models whose names omit or round them: sums of the shapes in the published configurations. An embedding
 * that is also the output layer counts once.
 */
const PARAMETERS: readonly (readonly [id: RegExp, parameters: number])[] = [
  [/Llama-3\.2-1B/, 1.236e9],
  [/Llama-3\.2-3B/, 3.213e9],
  [/Llama-3(\.1)?-8B|R1-Distill-Llama-8B/, 8.03e9],
  [/Llama-3(\.1)?-70B/, 70.55e9],
  [/Llama-2-7b/, 6.738e9],
  [/Llama-2-13b/, 13.02e9],
  [/Mistral-7B|WizardMath-7B/, 7.242e9],
  [/Ministral-3-3B/, 3.43e9],
  [/Phi-3(\.5)?-mini/, 3.821e9],
  [/Phi-3\.5-vision/, 4.147e9],
  [/Phi-4-mini/, 3.836e9],
  [/phi-2/, 2.78e9],
  [/phi-1_5/, 1.418e9],
  [/SmolLM2-1\.7B/, 1.711e9],
  [/SmolLM2-360M/, 361.8e6],
  [/SmolLM2-135M/, 134.5e6],
  // The name states the active parameters per token; the per-layer embeddings add as many again.
  [/gemma-4-E2B/, 5.1e9],
  [/gemma-2-2b/, 2.614e9],
  [/gemma-2-9b/, 9.242e9],
  [/gemma-2b/, 2.506e9],
  [/OLMo-2-1124-7B/, 7.299e9],
  [/OLMo-2-0425-1B/, 1.485e9],
  [/Qwen3-0\.6B/, 596e6],
  [/Qwen3-1\.7B/, 1.721e9],
  [/Qwen3-4B/, 4.022e9],
  [/Qwen3-8B/, 8.191e9],
  [/Qwen3\.5-0\.8B/, 752e6],
  [/Qwen2(\.5)?-(Coder-)?0\.5B/, 494e6],
  [/Qwen2(\.5)?-((Coder|Math)-)?1\.5B/, 1.544e9],
  [/Qwen2\.5-(Coder-)?3B/, 3.086e9],
  [/Qwen2(\.5)?-((Coder|Math)-)?7B|R1-Distill-Qwen-7B/, 7.616e9],
  [/RedPajama-INCITE-Chat-3B/, 2.776e9],
  [/stablelm-2-zephyr-1_6b/, 1.645e9],
  [/snowflake-arctic-embed-m/, 109e6],
  [/snowflake-arctic-embed-s/, 33.2e6],
];

/**
 * Stored bits per weight. 32 weights (40 at three bits) share a 16-bit scale; 32 bits hold ten 3-bit weights. MLC's
 * `convert_weight` stores all float32 data as bfloat16 (`f32-to-bf16`), which WebLLM decodes while loading.
 */
const BITS: readonly (readonly [format: RegExp, bits: number])[] = [
  [/q3f16_1/, 32 / 10 + 16 / 40],
  [/q4f(16|32)_1/, 4 + 16 / 32],
  [/q0f(16|32)/, 16],
];

/** Estimated bytes of tokenizer, library and lists in a package. */
const REST = 10e6;

/**
 * Estimates the bytes of a catalogue package from its id.
 * @returns null if the id names neither parameters nor format.
 */
export function estimatePackageSize(id: string): number | null {
  const parameters = PARAMETERS.find(([pattern]) => pattern.test(id))?.[1] ?? namedParameters(id);
  const bits = BITS.find(([format]) => format.test(id))?.[1];
  return parameters === null || bits === undefined ? null : Math.round((parameters * bits) / 8 + REST);
}

/** Parses `7B` or `360M` in a name. */
function namedParameters(id: string): number | null {
  const [, count, unit] = /-(\d+(?:\.\d+)?)([BM])-/i.exec(id) ?? [];
  return count === undefined ? null : Number(count) * (unit?.toUpperCase() === 'M' ? 1e6 : 1e9);
}
