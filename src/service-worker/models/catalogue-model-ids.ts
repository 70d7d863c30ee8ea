/** The formats of the weights that most models have. */
const USUAL_FORMATS = ['q4f16_1', 'q4f32_1'];

/**
 * The models in the catalogue of WebLLM 0.2.86: name, then the formats of the weights, unless they are the usual two. A
 * copy, because the catalogue itself is too large for a service worker. A test compares the two.
 */
const MODELS: readonly string[] = [
  'Llama-3.2-1B-Instruct q0f16 q0f32 q4f16_1 q4f32_1',
  'Llama-3.2-3B-Instruct',
  'Llama-3.1-8B-Instruct q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'DeepSeek-R1-Distill-Qwen-7B',
  'DeepSeek-R1-Distill-Llama-8B',
  'Hermes-2-Theta-Llama-3-8B',
  'Hermes-2-Pro-Llama-3-8B',
  'Hermes-3-Llama-3.2-3B',
  'Hermes-3-Llama-3.1-8B',
  'Hermes-2-Pro-Mistral-7B q4f16_1',
  'Phi-3.5-mini-instruct q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'Phi-3.5-vision-instruct',
  'Phi-4-mini-instruct',
  'Mistral-7B-Instruct-v0.3',
  'Mistral-7B-Instruct-v0.2 q4f16_1',
  'OpenHermes-2.5-Mistral-7B q4f16_1',
  'NeuralHermes-2.5-Mistral-7B q4f16_1',
  'WizardMath-7B-V1.1 q4f16_1',
  'SmolLM2-1.7B-Instruct',
  'SmolLM2-360M-Instruct q0f16 q0f32 q4f16_1 q4f32_1',
  'SmolLM2-135M-Instruct q0f16 q0f32',
  'gemma-4-E2B-it',
  'gemma-2-2b-it q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'gemma-2-9b-it',
  'gemma-2-2b-jpn-it',
  'gemma3-1b-it q4f16_1',
  'OLMo-2-1124-7B-Instruct',
  'OLMo-2-0425-1B-Instruct',
  'Qwen3-0.6B q0f16 q0f32 q4f16_1 q4f32_1',
  'Qwen3-1.7B',
  'Qwen3-4B',
  'Qwen3-8B',
  'Qwen3.5-0.8B q0f16 q4f16_1 q4f32_1',
  'Qwen3.5-2B',
  'Qwen3.5-4B',
  'Qwen3.5-9B',
  'Qwen2.5-0.5B-Instruct q0f16 q0f32 q4f16_1 q4f32_1',
  'Qwen2.5-1.5B-Instruct',
  'Qwen2.5-3B-Instruct',
  'Qwen2.5-7B-Instruct',
  'Qwen2.5-Coder-0.5B-Instruct q0f16 q0f32 q4f16_1 q4f32_1',
  'Qwen2.5-Coder-1.5B-Instruct',
  'Qwen2.5-Coder-3B-Instruct',
  'Qwen2.5-Coder-7B-Instruct',
  'Qwen2.5-Math-1.5B-Instruct',
  'stablelm-2-zephyr-1_6b q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'RedPajama-INCITE-Chat-3B-v1 q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'TinyLlama-1.1B-Chat-v1.0 q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'Ministral-3-3B-Base-2512',
  'Ministral-3-3B-Reasoning-2512',
  'Ministral-3-3B-Instruct-2512-BF16',
  'Llama-3.1-70B-Instruct q3f16_1',
  'Qwen2-0.5B-Instruct q0f16 q0f32 q4f16_1',
  'Qwen2-1.5B-Instruct',
  'Qwen2-7B-Instruct',
  'Qwen2-Math-1.5B-Instruct',
  'Qwen2-Math-7B-Instruct',
  'Llama-3-8B-Instruct q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'Llama-3-70B-Instruct q3f16_1',
  'Phi-3-mini-4k-instruct q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'Llama-2-7b-chat-hf q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'Llama-2-13b-chat-hf q4f16_1',
  'gemma-2b-it q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'phi-2 q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'phi-1_5 q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'TinyLlama-1.1B-Chat-v0.4 q4f16_1 q4f16_1-1k q4f32_1 q4f32_1-1k',
  'snowflake-arctic-embed-m q0f32-b32 q0f32-b4',
  'snowflake-arctic-embed-s q0f32-b32 q0f32-b4',
];

/** The GGUF models that the catalogue offers. llama.cpp runs them, also without WebGPU. */
const GGUF_MODELS: readonly string[] = [
  'SmolLM2-135M-Instruct-Q4_1',
  'SmolLM2-360M-Instruct-Q8_0',
  'Qwen2.5-0.5B-Instruct-Q4_K_M',
  'Qwen3-0.6B-Q8_0',
  'SmolLM2-1.7B-Instruct-Q4_K_M',
  'Qwen2.5-1.5B-Instruct-Q4_K_M',
  'Qwen3-1.7B-Q8_0',
  'Qwen3-4B-Q4_K_M',
];

/** Ids of the models in the catalogues, such as `SmolLM2-360M-Instruct-q4f16_1-MLC`. */
export const CATALOGUE_MODEL_IDS: ReadonlySet<string> = new Set([
  ...MODELS.flatMap((line) => {
    const [name, ...formats] = line.split(' ');
    return (formats.length > 0 ? formats : USUAL_FORMATS).map(
      (format) => `${name}-${format.replace(/^[^-]+/, '$&-MLC')}`,
    );
  }),
  ...GGUF_MODELS,
]);
