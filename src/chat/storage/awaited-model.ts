import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { defaultModel, instructionsForAllChats, writeAllChats } from './all-chats-settings.ts';
import { LAST_MODEL, LAST_MODEL_HERE, lastModel, lastModelHere } from './local-storage-values.ts';
import { storeLocally } from './store-locally.ts';

// What waits for a model that is being downloaded, by its key in localStorage.
const MODEL_TO_CHAT_WITH = 'tabserve-model-to-chat-with';
const ASK_AGAIN = 'tabserve-ask-again';

/** Id of the model that is being downloaded for the next chat; null for none. */
export function modelToChatWith(): string | null {
  return localStorage.getItem(MODEL_TO_CHAT_WITH);
}

export function rememberModelToChatWith(id: string | null): void {
  if (id === null) localStorage.removeItem(MODEL_TO_CHAT_WITH);
  else storeLocally(MODEL_TO_CHAT_WITH, id);
}

/**
 * Handles the deletion of a model or its download. If it was the last chosen model, the built-in model replaces it; if it was
 * that of new chats, they have the last chosen one.
 */
export function forgetModel(id: string): void {
  if (defaultModel() === id) writeAllChats(instructionsForAllChats(), null);
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
