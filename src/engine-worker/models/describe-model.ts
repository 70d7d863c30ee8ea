export interface ModelDescription {
  readonly family: string;
  readonly parameters: number | null;
  readonly quantization: string | null;
  readonly licence: string | null;
  /** Markers around thinking text; null if the model is not known to think. */
  readonly thinking: { readonly open: string; readonly close: string } | null;
}

interface Family {
  readonly pattern: RegExp;
  readonly name: string;
  /** Absent if the publishers' statements differ or could not be checked. */
  readonly licence?: string;
  readonly parameters?: number;
  readonly thinks?: true;
}

/** Model families by the beginning of a model's name. The first match is used. */
const FAMILIES: readonly Family[] = [
  { pattern: /^pocket/i, name: 'Pocket', licence: 'Apache 2.0' },
  { pattern: /^DeepSeek-R1-Distill-Qwen/i, name: 'DeepSeek R1 Distill', licence: 'MIT', thinks: true },
  {
    pattern: /^DeepSeek-R1-Distill-Llama/i,
    name: 'DeepSeek R1 Distill',
    licence: 'MIT, Llama 3.1 Community License',
    thinks: true,
  },
  { pattern: /^(Open|Neural)?Hermes-2.*Mistral/i, name: 'Hermes', licence: 'Apache 2.0' },
  { pattern: /^Hermes/i, name: 'Hermes' },
  { pattern: /^Llama-3\.2/i, name: 'Llama 3.2', licence: 'Llama 3.2 Community License' },
  { pattern: /^Llama-3\.1/i, name: 'Llama 3.1', licence: 'Llama 3.1 Community License' },
  { pattern: /^Llama-3/i, name: 'Llama 3', licence: 'Llama 3 Community License' },
  { pattern: /^Llama-2/i, name: 'Llama 2', licence: 'Llama 2 Community License' },
  { pattern: /^TinyLlama/i, name: 'TinyLlama', licence: 'Apache 2.0' },
  { pattern: /^Phi-4-mini/i, name: 'Phi 4', licence: 'MIT', parameters: 3.8e9 },
  { pattern: /^Phi-3\.5-vision/i, name: 'Phi 3.5', licence: 'MIT', parameters: 4.2e9 },
  { pattern: /^Phi-3\.5/i, name: 'Phi 3.5', licence: 'MIT', parameters: 3.8e9 },
  { pattern: /^Phi-3/i, name: 'Phi 3', licence: 'MIT', parameters: 3.8e9 },
  { pattern: /^phi-2/i, name: 'Phi 2', licence: 'MIT', parameters: 2.7e9 },
  { pattern: /^phi-1_5/i, name: 'Phi 1.5', licence: 'MIT', parameters: 1.3e9 },
  { pattern: /^Ministral/i, name: 'Ministral', licence: 'Apache 2.0' },
  { pattern: /^Mistral/i, name: 'Mistral', licence: 'Apache 2.0' },
  { pattern: /^WizardMath/i, name: 'WizardMath' },
  { pattern: /^SmolLM2/i, name: 'SmolLM2', licence: 'Apache 2.0' },
  { pattern: /^gemma-4/i, name: 'Gemma 4', licence: 'Apache 2.0' },
  { pattern: /^gemma-?3/i, name: 'Gemma 3', licence: 'Gemma Terms of Use' },
  { pattern: /^gemma-2-/i, name: 'Gemma 2', licence: 'Gemma Terms of Use' },
  { pattern: /^gemma/i, name: 'Gemma', licence: 'Gemma Terms of Use' },
  { pattern: /^OLMo-2/i, name: 'OLMo 2', licence: 'Apache 2.0' },
  { pattern: /^Qwen3\.5/i, name: 'Qwen3.5', licence: 'Apache 2.0', thinks: true },
  { pattern: /^Qwen3/i, name: 'Qwen3', licence: 'Apache 2.0', thinks: true },
  { pattern: /^Qwen2\.5-(Coder-)?3B/i, name: 'Qwen2.5', licence: 'Qwen Research License' },
  { pattern: /^Qwen2\.5/i, name: 'Qwen2.5', licence: 'Apache 2.0' },
  { pattern: /^Qwen2/i, name: 'Qwen2', licence: 'Apache 2.0' },
  { pattern: /^snowflake-arctic-embed-m/i, name: 'Arctic Embed', licence: 'Apache 2.0', parameters: 109e6 },
  { pattern: /^snowflake-arctic-embed-s/i, name: 'Arctic Embed', licence: 'Apache 2.0', parameters: 33e6 },
  { pattern: /^stablelm/i, name: 'StableLM' },
  { pattern: /^RedPajama/i, name: 'RedPajama', licence: 'Apache 2.0' },
];

/** Derives from a model's name the facts for which the catalogue has no fields. */
export function describeModel(id: string): ModelDescription {
  const family = FAMILIES.find(({ pattern }) => pattern.test(id));
  return {
    family: family?.name ?? 'Other',
    parameters: family?.parameters ?? parametersIn(id),
    quantization: /q\d+f\d+(_\d+)?/i.exec(id)?.[0] ?? null,
    licence: family?.licence ?? null,
    thinking: family?.thinks === true ? { open: '<think>', close: '</think>' } : null,
  };
}

/** Reads the number of parameters in a name, such as `1.5B`, `360M`, `1_6b` and `E2B`. */
function parametersIn(id: string): number | null {
  const match = /-E?(\d+(?:[._]\d+)?)([BM])(?=-|$)/i.exec(id);
  if (match?.[1] === undefined) return null;
  const scale = match[2]?.toUpperCase() === 'M' ? 1e6 : 1e9;
  return Number(match[1].replace('_', '.')) * scale;
}
