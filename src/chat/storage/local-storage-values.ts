import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { storeLocally } from './store-locally.ts';
import { defaultModel } from './all-chats-settings.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../types/conversation.ts';

// Keys in localStorage. It is synchronous: the page has these values at startup, and a reload loses no write.
export const LAST_MODEL = 'tabserve-last-model';
/** The last chosen model that runs on this device. Set only while {@link LAST_MODEL} names a model of an upstream. */
export const LAST_MODEL_HERE = 'tabserve-last-model-here';
const LANGUAGE = 'tabserve-language';
const NEUTRAL_TITLES = 'tabserve-neutral-titles';
/** The script `first-paint.js` reads this key too. */
const COLOUR_SCHEME = 'tabserve-colour-scheme';

export type ColourScheme = 'light' | 'dark';

/** The last chosen model. Default: the built-in model. */
export function lastModel(): string {
  return localStorage.getItem(LAST_MODEL) ?? BUILT_IN_MODEL_ID;
}

/** Returns the last chosen model that runs on this device, which is the one to preload. */
export function lastModelHere(): string {
  return localStorage.getItem(LAST_MODEL_HERE) ?? lastModel();
}

/**
 * Stores the last chosen model.
 * @param here Whether the model runs on this device.
 */
export function rememberModel(id: string, here: boolean): void {
  if (!here) storeLocally(LAST_MODEL_HERE, lastModelHere());
  else localStorage.removeItem(LAST_MODEL_HERE);
  storeLocally(LAST_MODEL, id);
}

/** The chosen language. Null follows the browser. */
export function chosenLanguage(): string | null {
  return localStorage.getItem(LANGUAGE);
}

export function rememberLanguage(language: string): void {
  localStorage.setItem(LANGUAGE, language);
}

/** The chosen colour scheme. Null follows the system. */
export function chosenColourScheme(): ColourScheme | null {
  const scheme = localStorage.getItem(COLOUR_SCHEME);
  return scheme === 'light' || scheme === 'dark' ? scheme : null;
}

export function rememberColourScheme(scheme: ColourScheme | null): void {
  if (scheme === null) localStorage.removeItem(COLOUR_SCHEME);
  else localStorage.setItem(COLOUR_SCHEME, scheme);
}

/** Whether the browser's history gets neither titles of chats nor searched words. Default: false. */
export function hasNeutralTitles(): boolean {
  return localStorage.getItem(NEUTRAL_TITLES) !== null;
}

export function rememberNeutralTitles(neutral: boolean): void {
  if (neutral) localStorage.setItem(NEUTRAL_TITLES, '');
  else localStorage.removeItem(NEUTRAL_TITLES);
}

/** Key of new chats' settings, without the model. They are copied from a preset: `presets.ts` is loaded lazily. */
const NEW_CHAT_SETTINGS = 'tabserve-new-chat-settings';

export function newChatSettings(): ConversationSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(NEW_CHAT_SETTINGS) ?? '{}') as Partial<ConversationSettings>;
    return { ...DEFAULT_SETTINGS, ...stored, model: defaultModel() };
  } catch {
    // An invalid stored value must not keep the page from starting.
    return DEFAULT_SETTINGS;
  }
}

/**
 * Stores the settings of new chats.
 * @param settings Null for the defaults.
 */
export function writeNewChatSettings(settings: Partial<ConversationSettings> | null): void {
  if (settings === null) localStorage.removeItem(NEW_CHAT_SETTINGS);
  else localStorage.setItem(NEW_CHAT_SETTINGS, JSON.stringify(settings));
}
