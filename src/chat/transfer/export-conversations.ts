import { inFence, nameOfImage, questionText } from '../api/message-content.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer, Conversation, Message, Question } from '../types/conversation.ts';
import { readPresets } from '../storage/presets.ts';
import { MessageTree } from '../storage/message-tree.ts';
import { exportStrings } from '../strings/transfer.ts';
import { toolStrings } from '../strings/tools.ts';
import { givenWords, outcomeOf, toolName } from '../tools/call-words.ts';
import { conversationFile } from './conversation-file.ts';
import { fileName, saveFile } from './save-file.ts';

/** Saves one conversation with all its branches as JSON. */
export async function exportJson(conversation: Conversation, store: ConversationStore): Promise<void> {
  const text = conversationFile([{ conversation, messages: await store.messages(conversation.id) }]);
  saveFile(fileName(conversation.title, 'json'), 'application/json', text);
}

/** Saves every conversation on this device, and its presets, as one JSON file. */
export async function exportAll(store: ConversationStore): Promise<void> {
  const whole = (await store.conversations()).map(async (conversation) => ({
    conversation,
    messages: await store.messages(conversation.id),
  }));
  const day = new Date().toISOString().slice(0, 10);
  saveFile(exportStrings.fileOfAll(day), 'application/json', conversationFile(await Promise.all(whole), readPresets()));
}

/** Saves the branch that is shown as Markdown. */
export async function exportMarkdown(conversation: Conversation, store: ConversationStore): Promise<void> {
  const path = new MessageTree(await store.messages(conversation.id)).path(conversation.leaf);
  saveFile(fileName(conversation.title, 'md'), 'text/markdown', conversationMarkdown(conversation, path));
}

/** The branch that is shown, as a Markdown document to read, send or print. */
export function conversationMarkdown({ title, settings }: Conversation, path: readonly Message[]): string {
  const head = [`# ${title}`, ...(settings.systemPrompt === '' ? [] : [quote(settings.systemPrompt)])];
  const body = path.flatMap((message) =>
    message.role === 'user'
      ? [`## ${exportStrings.question}`, ...namesOfImages(message), questionText(message)]
      : [`## ${exportStrings.answer(message.model)}`, ...toolRounds(message), message.text],
  );
  return `${[...head, ...body].map((part) => part.trim()).join('\n\n')}\n`;
}

/** A document of text names what it cannot hold; the JSON file has it. */
function namesOfImages({ attachments = [] }: Question): readonly string[] {
  return attachments.filter(({ kind }) => kind === 'image').map(({ name }) => nameOfImage(name));
}

/** What was called on the way to an answer, each call as a quotation. */
function toolRounds(answer: Answer): readonly string[] {
  const { rounds = [] } = answer;
  return rounds.flatMap(({ text, calls }) => [
    ...(text.trim() === '' ? [] : [text]),
    ...calls.map((call) =>
      quote(
        [
          `**${toolName(call)}** · ${toolStrings.states[outcomeOf(call, answer)]}`,
          ...[givenWords(call), call.result].filter((part) => part !== '').map((part) => inFence(part)),
        ].join('\n\n'),
      ),
    ),
  ]);
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}
