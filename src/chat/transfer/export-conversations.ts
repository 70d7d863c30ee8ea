import { inFence, nameOfImage, questionText } from '../api/message-content.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer, Conversation, Message, Question } from '../types/conversation.ts';
import { readPresets } from '../storage/presets.ts';
import { MessageTree } from '../storage/message-tree.ts';
import { exportStrings } from '../strings/transfer-strings.ts';
import { toolStrings } from '../strings/tool-strings.ts';
import { argumentsText, outcomeOf, toolName } from '../tools/tool-call-text.ts';
import { conversationFile } from './conversation-file.ts';
import { fileName, saveFile } from './save-file.ts';

export async function exportJson(conversation: Conversation, store: ConversationStore): Promise<void> {
  const text = conversationFile([{ conversation, messages: await store.messages(conversation.id) }]);
  saveFile(fileName(conversation.title, 'json'), 'application/json', text);
}

/** Saves all conversations and presets of this device as one JSON file. */
export async function exportAll(store: ConversationStore): Promise<void> {
  const whole = (await store.conversations()).map(async (conversation) => ({
    conversation,
    messages: await store.messages(conversation.id),
  }));
  const day = new Date().toISOString().slice(0, 10);
  saveFile(exportStrings.fileOfAll(day), 'application/json', conversationFile(await Promise.all(whole), readPresets()));
}

/** Saves the current branch as Markdown. */
export async function exportMarkdown(conversation: Conversation, store: ConversationStore): Promise<void> {
  const path = new MessageTree(await store.messages(conversation.id)).path(conversation.leaf);
  saveFile(fileName(conversation.title, 'md'), 'text/markdown', conversationMarkdown(conversation, path));
}

export function conversationMarkdown({ title, settings }: Conversation, path: readonly Message[]): string {
  const head = [`# ${title}`, ...(settings.systemPrompt === '' ? [] : [quote(settings.systemPrompt)])];
  const body = path.flatMap((message) =>
    message.role === 'user'
      ? [`## ${exportStrings.question}`, ...namesOfImages(message), questionText(message)]
      : [`## ${exportStrings.answer(message.model)}`, ...toolRounds(message), message.text],
  );
  return `${[...head, ...body].map((part) => part.trim()).join('\n\n')}\n`;
}

/** Markdown only names the images; the JSON file contains them. */
function namesOfImages({ attachments = [] }: Question): readonly string[] {
  return attachments.filter(({ kind }) => kind === 'image').map(({ name }) => nameOfImage(name));
}

/** The tool calls of an answer, each as a block quote. */
function toolRounds(answer: Answer): readonly string[] {
  const { rounds = [] } = answer;
  return rounds.flatMap(({ text, calls }) => [
    ...(text.trim() === '' ? [] : [text]),
    ...calls.map((call) =>
      quote(
        [
          `**${toolName(call)}** · ${toolStrings.states[outcomeOf(call, answer)]}`,
          ...[argumentsText(call), call.result].filter((part) => part !== '').map((part) => inFence(part)),
        ].join('\n\n'),
      ),
    ),
  ]);
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}
