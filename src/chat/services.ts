import { AnswerRunner } from './answers/answer-runner.ts';
import { ConversationStore } from './storage/conversation-store.ts';

/** The one store of this page. */
export const store = new ConversationStore();

/** Outlives every screen: an answer goes on while the person looks at something else. */
export const answerRunner = new AnswerRunner(store);
