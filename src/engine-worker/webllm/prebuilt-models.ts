import { prebuiltAppConfig, type ModelRecord } from '@mlc-ai/web-llm';

/** WebLLM's own catalogue: the models whose libraries fit the pinned version. */
export const PREBUILT_MODELS: readonly ModelRecord[] = prebuiltAppConfig.model_list;
