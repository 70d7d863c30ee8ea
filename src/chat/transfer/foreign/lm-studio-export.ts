import { sumOfLeftOut } from '../left-out.ts';
import type { ReadConversation } from '../read-conversation.ts';
import { addContent } from './content-parts.ts';
import { listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstText, joinTexts, timeOf, wordsIn } from './foreign-values.ts';
import { MessageContent } from './message-content.ts';
import { toWholeConversation } from './to-whole-conversation.ts';

/**
 * Reads a chat of LM Studio (`*.conversation.json`). Each message has `versions`, of which one is selected; the next
 * message follows that one. A version has `content`, or `steps` with content.
 */
export function readLmStudioConversation(chat: Fields): ReadConversation {
  const config = listOf(recordOf(chat['perChatPredictionConfig'])['fields']).map(recordOf);
  const prompts = [
    chat['systemPrompt'],
    config.find(({ key }) => key === 'llm.prediction.systemPrompt')?.['value'],
  ].map(textOf);
  const model = textOf(recordOf(chat['lastUsedModel'])['identifier']);
  const read: { readonly message: ReturnType<MessageContent['toMessage']>; readonly left: MessageContent['left'] }[] =
    [];
  let parent: string | null = null;
  for (const [place, message] of listOf(chat['messages']).map(recordOf).entries()) {
    const versions = listOf(message['versions']).map(recordOf);
    const { currentlySelected } = message;
    for (const [index, version] of versions.entries()) {
      const into = new MessageContent(version['role'] === 'user');
      if (version['role'] === 'system') prompts.push(wordsIn(version['content']));
      else addVersion(into, version);
      const sender = textOf(recordOf(version['senderInfo'])['senderName']);
      const own = { id: `${place}-${index}`, parent, model: firstText(sender, model) || 'LM Studio', created: null };
      read.push({ message: into.toMessage(own), left: into.left });
    }
    const selected =
      typeof currentlySelected === 'number' && currentlySelected in versions ? currentlySelected : versions.length - 1;
    if (selected >= 0) parent = `${place}-${selected}`;
  }
  const created = timeOf(chat['createdAt']);
  const updated = [chat['userLastMessagedAt'], chat['assistantLastMessagedAt']].map((time) => timeOf(time) ?? 0);
  const whole = toWholeConversation({
    id: created === null ? '' : `lm-studio-${created}`,
    title: textOf(chat['name']),
    pinned: chat['pinned'] === true,
    created,
    updated: Math.max(...updated) || created,
    systemPrompt: joinTexts([...new Set(prompts)]),
    current: parent ?? '',
    messages: read.map(({ message }) => message),
  });
  return { whole, left: sumOfLeftOut(read.map(({ left }) => left)) };
}

function addVersion(into: MessageContent, version: Fields): void {
  addContent(into, version['content']);
  for (const step of listOf(version['steps']).map(recordOf)) {
    if (step['type'] === 'debugInfoBlock' || step['type'] === 'status') continue;
    if (recordOf(step['style'])['type'] !== 'thinking') addContent(into, step['content']);
    else into.think(wordsIn(step['content']));
  }
}
