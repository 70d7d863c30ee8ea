import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { storeLocally } from './store-locally.ts';
import { defaultModel } from './all-chats-settings.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../types/conversation.ts';

// Keys in localStorage. It is synchronous: the page has these values at startup, and a reload loses no write.
const LAST_MODEL = 'tabserve-last-model';
/** The last chosen model that runs on this device. Set only while {@link LAST_MODEL} names a model of an upstream. */
const LAST_MODEL_HERE = 'tabserve-last-model-here';
const MODEL_TO_CHAT_WITH = 'tabserve-model-to-chat-with';
const ASK_AGAIN = 'tabserve-ask-again';
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

/** Id of the model that is being downloaded for the next chat; null for none. */
export function modelToChatWith(): string | null {
  return localStorage.getItem(MODEL_TO_CHAT_WITH);
}

export function rememberModelToChatWith(id: string | null): void {
  if (id === null) localStorage.removeItem(MODEL_TO_CHAT_WITH);
  else storeLocally(MODEL_TO_CHAT_WITH, id);
}

/** Handles the deletion of a model or its download. If it was the last chosen model, the built-in model replaces it. */
export function forgetModel(id: string): void {
  if (modelToChatWith() === id) rememberModelToChatWith(null);
  if (lastModelHere() !== id) return;
  if (lastModel() === id) localStorage.removeItem(LAST_MODEL);
  else storeLocally(LAST_MODEL_HERE, BUILT_IN_MODEL_ID);
}

/** A question that is asked again once a model is on this device. */
export interface QuestionToAskAgain {
  /** Id of the answer in which the built-in model declined or failed. */
  readonly answer: string;
  readonly model: string;
}

/** The question to ask again, if it belongs to the temporary chat. It is kept in memory only. */
let unkeptQuestion: QuestionToAskAgain | null = null;

export function questionToAskAgain(): QuestionToAskAgain | null {
  if (unkeptQuestion !== null) return unkeptQuestion;
  const [answer, model] = localStorage.getItem(ASK_AGAIN)?.split(' ') ?? [];
  return answer && model ? { answer, model } : null;
}

/**
 * Stores a question to ask again; null deletes it.
 * @param isKept Whether the question may be written to the device; that of the temporary chat may not. Default: true.
 */
export function rememberQuestionToAskAgain(question: QuestionToAskAgain | null, isKept = true): void {
  unkeptQuestion = isKept ? null : question;
  if (!isKept) return;
  if (question === null) localStorage.removeItem(ASK_AGAIN);
  else storeLocally(ASK_AGAIN, `${question.answer} ${question.model}`);
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

/** Key that is set while the database of unsent files may have some. */
export const MAY_WAIT = 'tabserve-files';

/** Whether unsent files may be stored, for when their database cannot be opened. */
export function filesMayWait(): boolean {
  return localStorage.getItem(MAY_WAIT) !== null;
}
