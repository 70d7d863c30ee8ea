import type { AnswerRunner } from '../answers/answer-runner.ts';
import { nameOfImage, questionText } from '../api/message-content.ts';
import { exportStrings } from '../strings/transfer-strings.ts';
import type { Answer, Conversation, Message, Question } from '../types/conversation.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { readPresets } from '../storage/presets.ts';
import { MessageTree } from '../storage/message-tree.ts';
import { exportedChat, exportFile } from './conversation-file.ts';
import { quote, toFile, trimmed } from './markdown-form.ts';
import { sourceQuotations } from './markdown-sources.ts';
import { toolRounds } from './markdown-tool-calls.ts';
import { fileName, saveFile } from './save-file.ts';

/** Where the answers are that grow, or could not be stored at their end. */
export type AnswersInMemory = Pick<AnswerRunner, 'get' | 'unsaved'>;

/** Saves a conversation as a JSON file. */
export async function exportJson(
  conversation: Conversation,
  store: ConversationStore,
  answers: AnswersInMemory,
): Promise<void> {
  const chat = exportedChat({ conversation, messages: await shownMessages(conversation, store, answers) });
  saveFile(fileName(conversation.title, 'json'), 'application/json', exportFile([chat]));
}

/** Saves all conversations and presets of this device as one JSON file. */
export async function exportAll(store: ConversationStore, answers: AnswersInMemory): Promise<void> {
  const chats: Blob[] = [];
  for (const conversation of await store.conversations())
    chats.push(exportedChat({ conversation, messages: await shownMessages(conversation, store, answers) }));
  // The day of this device: Sweden writes it as ISO 8601 does.
  const day = new Date().toLocaleDateString('sv');
  saveFile(exportStrings.fileOfAll(day), 'application/json', exportFile(chats, readPresets()));
}

/** Saves the current branch as Markdown. */
export async function exportMarkdown(
  conversation: Conversation,
  store: ConversationStore,
  answers: AnswersInMemory,
): Promise<void> {
  const messages = await shownMessages(conversation, store, answers);
  const path = new MessageTree(messages).path(conversation.leaf);
  const text = conversationMarkdown(conversation, path, messages.length - path.length);
  saveFile(fileName(conversation.title, 'md'), 'text/markdown', text);
}

/** Returns the messages of a chat as the page shows them. Of an answer that could not be stored, only the beginning may be. */
async function shownMessages(
  { id }: Conversation,
  store: ConversationStore,
  answers: AnswersInMemory,
): Promise<readonly Message[]> {
  const stored = await store.messages(id);
  return stored.map((message) => answers.get(message.id)?.answer ?? answers.unsaved(message.id) ?? message);
}

/**
 * Returns a branch of a chat as Markdown, which {@link readConversationMarkdown} reads. At its end it tells what the file
 * does not have.
 * @param others Number of messages of other branches. Default: 0.
 */
export function conversationMarkdown({ title, settings }: Conversation, path: readonly Message[], others = 0): string {
  const prompt = settings.systemPrompt.trim() === '' ? [] : [quote(settings.systemPrompt)];
  const body = path.flatMap((message) =>
    message.role === 'user'
      ? [`## ${exportStrings.question}`, ...namesOfImages(message), toFile(questionText(message))]
      : [
          `## ${exportStrings.answer(message.model.replace(/\s+/g, ' '))}`,
          ...thinkingOf(message),
          ...toolRounds(message),
          toFile(message.text),
          ...sourceQuotations(message),
        ],
  );
  const parts = [`# ${title.replace(/\s+/g, ' ')}`, ...prompt, ...body, ...leftOut(path, others)];
  const written = parts.map(trimmed).filter((part) => part !== '');
  return `${written.join('\n\n')}\n`;
}

/** Markdown only names the images; the JSON file contains them. */
function namesOfImages(question: Question): readonly string[] {
  return imagesOf(question).map(({ name }) => nameOfImage(name));
}

function imagesOf({ attachments = [] }: Question) {
  return attachments.filter(({ kind }) => kind === 'image');
}

/** The thinking before an answer, folded. */
function thinkingOf({ thinking }: Answer): readonly string[] {
  if (thinking.trim() === '') return [];
  return [`<details>\n<summary>${exportStrings.thinking}</summary>`, toFile(thinking), '</details>'];
}

/** Tells what the file does not have. The comment before it is for the import. */
function leftOut(path: readonly Message[], others: number): readonly string[] {
  const images = path.reduce((sum, message) => sum + (message.role === 'user' ? imagesOf(message).length : 0), 0);
  const parts = [
    ...(images === 0 ? [] : [exportStrings.images(images)]),
    ...(others === 0 ? [] : [exportStrings.branches(others)]),
  ];
  if (parts.length === 0) return [];
  return [
    `<!-- tabserve: left out, images: ${images}, branches: ${others} -->\n\n*${exportStrings.leftOut(parts.join(', '))}*`,
  ];
}
