import type { ConversationSettings } from '../../types/conversation.ts';

export type Sampling = Pick<ConversationSettings, 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty'>;

export const SAMPLING_PRESETS = {
  own: { temperature: null, topP: null, presencePenalty: null, frequencyPenalty: null },
  exact: { temperature: 0, topP: null, presencePenalty: null, frequencyPenalty: null },
  balanced: { temperature: 0.7, topP: 0.9, presencePenalty: null, frequencyPenalty: null },
  inventive: { temperature: 1.1, topP: 0.95, presencePenalty: 0.4, frequencyPenalty: 0.2 },
} as const satisfies Record<string, Sampling>;

export type SamplingPreset = keyof typeof SAMPLING_PRESETS;

/** Returns the preset with exactly these values, if there is one. */
export function presetOf(sampling: Sampling): SamplingPreset | undefined {
  const fields = Object.keys(SAMPLING_PRESETS.own) as (keyof Sampling)[];
  return PRESET_NAMES.find((name) => fields.every((field) => SAMPLING_PRESETS[name][field] === sampling[field]));
}

/** The names of the presets, in the order of the menu. */
export const PRESET_NAMES = Object.keys(SAMPLING_PRESETS) as SamplingPreset[];
