import { sumOfLeftOut } from '../left-out.ts';
import type { ReadConversation } from '../read-conversation.ts';
import { addCall, addResult, addSaid } from './chatgpt-content.ts';
import { recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstText, joinTexts, timeOf, wordsIn } from './foreign-values.ts';
import { MessageContent } from './message-content.ts';
import { toWholeConversation } from './to-whole-conversation.ts';

/**
 * Reads one conversation of ChatGPT's export (`conversations.json` as of 2026, unspecified). `mapping` has nodes by id,
 * each with `parent` and `message`; `current_node` ends the branch that was shown. Times are in seconds.
 */
export function readChatGptConversation(conversation: Fields): ReadConversation {
  const { mapping } = conversation;
  if (typeof mapping !== 'object' || mapping === null) return { whole: 'damaged', left: sumOfLeftOut([]) };
  const slug = textOf(conversation['default_model_slug']);
  const nodes = Object.entries(mapping).map(([id, node]) => readNode(id, recordOf(node), slug));
  const whole = toWholeConversation({
    id: firstText(conversation['conversation_id'], conversation['id']),
    title: textOf(conversation['title']),
    pinned: conversation['is_starred'] === true,
    created: timeOf(conversation['create_time']),
    updated: timeOf(conversation['update_time']),
    systemPrompt: joinTexts([...new Set(nodes.map(({ instructions }) => instructions))]),
    current: textOf(conversation['current_node']),
    messages: nodes.map(({ message }) => message),
  });
  return { whole, left: sumOfLeftOut(nodes.map(({ left }) => left)) };
}

function readNode(id: string, node: Fields, slug: string) {
  const message = recordOf(node['message']);
  const metadata = recordOf(message['metadata']);
  const { role: author } = recordOf(message['author']);
  const into = new MessageContent(author === 'user');
  const instructions = addMessage(into, textOf(author), message);
  const read = into.toMessage({
    id,
    parent: textOf(node['parent']) || null,
    model: textOf(metadata['model_slug']) || slug || 'ChatGPT',
    created: timeOf(message['create_time']),
  });
  return { message: read, left: into.left, instructions };
}

/** Stands in the file for instructions that ChatGPT has deleted. */
const NO_INSTRUCTIONS = /^\s*Original custom instructions no longer available\.?\s*$/;

/** Adds a message. Returns its words if they are instructions to the model. */
function addMessage(into: MessageContent, author: string, message: Fields): string {
  const content = recordOf(message['content']);
  const type = textOf(content['content_type']);
  if (author === 'system' || type.endsWith('editable_context')) {
    const words = wordsIn(content);
    return NO_INSTRUCTIONS.test(words) ? '' : words;
  }
  if (recordOf(message['metadata'])['is_visually_hidden_from_conversation'] === true) {
    if (wordsIn(content).trim() !== '') into.leaveOut('notes');
    return '';
  }
  const recipient = textOf(message['recipient']) || 'all';
  if (author === 'tool') addResult(into, message);
  else if (author === 'assistant' && recipient !== 'all') addCall(into, recipient, content);
  else addSaid(into, message);
  return '';
}
