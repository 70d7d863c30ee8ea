import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Conversation } from '../storage/conversation.ts';
import { MessageTree } from '../storage/message-tree.ts';
import { conversationFile } from './conversation-file.ts';
import { conversationMarkdown } from './conversation-markdown.ts';
import { fileName, saveFile } from './save-file.ts';

/** Saves one conversation with all its branches as JSON. */
export async function exportJson(conversation: Conversation, store: ConversationStore): Promise<void> {
  const text = conversationFile([{ conversation, messages: await store.messages(conversation.id) }]);
  saveFile(fileName(conversation.title, 'json'), 'application/json', text);
}

/** Saves every conversation on this device as one JSON file. */
export async function exportAll(store: ConversationStore): Promise<void> {
  const whole = (await store.conversations()).map(async (conversation) => ({
    conversation,
    messages: await store.messages(conversation.id),
  }));
  const day = new Date().toISOString().slice(0, 10);
  saveFile(`tabserve-chats-${day}.json`, 'application/json', conversationFile(await Promise.all(whole)));
}

/** Saves the branch that is shown as Markdown. */
export async function exportMarkdown(conversation: Conversation, store: ConversationStore): Promise<void> {
  const path = new MessageTree(await store.messages(conversation.id)).path(conversation.leaf);
  saveFile(fileName(conversation.title, 'md'), 'text/markdown', conversationMarkdown(conversation, path));
}
