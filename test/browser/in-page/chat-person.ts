// What a person does in the chat page, and what is left of it.
export { attachText, editQuestion, marksNotHere, writeQuestion } from '../../chaos/in-page/chat.ts';
