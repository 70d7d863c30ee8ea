import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../types/conversation.ts';

// All are read while the page starts and written synchronously, so that no reload is quicker: a database would be late.
const LAST_MODEL = 'tabserve-last-model';
/** Only there while {@link LAST_MODEL} is not on this device. */
const LAST_MODEL_HERE = 'tabserve-last-model-here';
const MODEL_TO_CHAT_WITH = 'tabserve-model-to-chat-with';
const LANGUAGE = 'tabserve-language';
/** Also read by `first-paint.js`. */
const COLOUR_SCHEME = 'tabserve-colour-scheme';

export type ColourScheme = 'light' | 'dark';

/** The model that was chosen last on this device, at first the built-in one. */
export function lastModel(): string {
  return localStorage.getItem(LAST_MODEL) ?? BUILT_IN_MODEL_ID;
}

/** The last one of them that runs on this device: the one to load ahead of the first question. */
export function lastModelHere(): string {
  return localStorage.getItem(LAST_MODEL_HERE) ?? lastModel();
}

/** @param here Whether it runs on this device. */
export function rememberModel(id: string, here: boolean): void {
  if (!here) localStorage.setItem(LAST_MODEL_HERE, lastModelHere());
  else localStorage.removeItem(LAST_MODEL_HERE);
  localStorage.setItem(LAST_MODEL, id);
}

/** Id of the model that is being downloaded for the next chat; null where none is. */
export function modelToChatWith(): string | null {
  return localStorage.getItem(MODEL_TO_CHAT_WITH);
}

/** @param id Null once it is there, or nobody wants it any more. */
export function rememberModelToChatWith(id: string | null): void {
  if (id === null) localStorage.removeItem(MODEL_TO_CHAT_WITH);
  else localStorage.setItem(MODEL_TO_CHAT_WITH, id);
}

/** A model, or its download, is no longer on this device: the built-in one takes its place where it was the one chosen last. */
export function forgetModel(id: string): void {
  if (modelToChatWith() === id) rememberModelToChatWith(null);
  if (lastModelHere() !== id) return;
  if (lastModel() === id) localStorage.removeItem(LAST_MODEL);
  else localStorage.setItem(LAST_MODEL_HERE, BUILT_IN_MODEL_ID);
}

/** Tag of the language that the person chose for the page; null while its browser decides. */
export function chosenLanguage(): string | null {
  return localStorage.getItem(LANGUAGE);
}

export function rememberLanguage(language: string): void {
  localStorage.setItem(LANGUAGE, language);
}

/** Light or dark, as the person chose; null while the system decides. */
export function chosenColourScheme(): ColourScheme | null {
  const scheme = localStorage.getItem(COLOUR_SCHEME);
  return scheme === 'light' || scheme === 'dark' ? scheme : null;
}

export function rememberColourScheme(scheme: ColourScheme | null): void {
  if (scheme === null) localStorage.removeItem(COLOUR_SCHEME);
  else localStorage.setItem(COLOUR_SCHEME, scheme);
}

/** What the settings of new chats are, where a preset was chosen for them; see `presets.ts`, which is loaded later. */
const NEW_CHAT_SETTINGS = 'tabserve-new-chat-settings';

export function newChatSettings(): ConversationSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(NEW_CHAT_SETTINGS) ?? '{}') as Partial<ConversationSettings>;
    return { ...DEFAULT_SETTINGS, ...stored };
  } catch {
    // Whatever has become of it, the page has to start.
    return DEFAULT_SETTINGS;
  }
}

/** @param settings Null for those that every model has by itself. */
export function writeNewChatSettings(settings: Partial<ConversationSettings> | null): void {
  if (settings === null) localStorage.removeItem(NEW_CHAT_SETTINGS);
  else localStorage.setItem(NEW_CHAT_SETTINGS, JSON.stringify(settings));
}

/** The draft of the temporary chat, which is gone with the page. */
let unkept = '';

/** What was being typed in a conversation, or into an edited question, when it was left; null means a new one, undefined the temporary one. */
export function readDraft(conversation: string | null | undefined): string {
  return conversation === undefined ? unkept : (localStorage.getItem(draftKey(conversation)) ?? '');
}

/** To be called at every keystroke. What is too long to be kept is not, and neither is what was there before. */
export function writeDraft(conversation: string | null | undefined, text: string): void {
  if (conversation === undefined) return void (unkept = text);
  localStorage.removeItem(draftKey(conversation));
  try {
    if (text !== '') localStorage.setItem(draftKey(conversation), text);
  } catch (error) {
    console.info('The draft is not kept.', error);
  }
}

/** Whether files may wait on this device for the next question of a conversation; see `kept-files.ts`, which is loaded later. */
export function filesWait(conversation: string | null | undefined): boolean {
  return conversation !== undefined && localStorage.getItem(filesKey(conversation)) !== null;
}

/** @throws DOMException `QuotaExceededError` where there is no room for it. */
export function noteWaitingFiles(conversation: string | null, wait: boolean): void {
  if (wait) localStorage.setItem(filesKey(conversation), '');
  else localStorage.removeItem(filesKey(conversation));
}

function filesKey(conversation: string | null): string {
  return `tabserve-files-${conversation ?? 'new'}`;
}

function draftKey(conversation: string | null): string {
  return `tabserve-draft-${conversation ?? 'new'}`;
}
