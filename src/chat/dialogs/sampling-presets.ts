import type { ConversationSettings } from '../storage/conversation.ts';

/** Ready-made ways of sampling. Each sets everything that bears on the choice of words. */
export const SAMPLING_PRESETS = {
  own: { temperature: null, topP: null, presencePenalty: null, frequencyPenalty: null },
  exact: { temperature: 0, topP: null, presencePenalty: null, frequencyPenalty: null },
  balanced: { temperature: 0.7, topP: 0.9, presencePenalty: null, frequencyPenalty: null },
  inventive: { temperature: 1.1, topP: 0.95, presencePenalty: 0.4, frequencyPenalty: 0.2 },
} as const satisfies Record<string, Partial<ConversationSettings>>;

export type SamplingPreset = keyof typeof SAMPLING_PRESETS;
