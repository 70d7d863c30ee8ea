import type { ForeignMessage } from './foreign-tree.ts';
import { joinTexts, listOf, recordOf, textOf, timeOf } from './foreign-values.ts';
import { toWholeConversation, type ReadConversation } from './whole-conversation.ts';

/**
 * Reads one conversation of ChatGPT's export (`conversations.json` as of 2026, unspecified). `mapping` has nodes by id,
 * each with `parent` and `message`; `current_node` ends the branch that was shown. Times are in seconds.
 */
export function readChatGptConversation(exported: unknown): ReadConversation {
  const { mapping, ...conversation } = recordOf(exported);
  if (typeof mapping !== 'object' || mapping === null) return { whole: 'damaged', files: 0, steps: 0 };
  const slug = textOf(conversation['default_model_slug']);
  const nodes = Object.entries(mapping).map(([id, node]) => readNode(id, recordOf(node), slug));
  const whole = toWholeConversation({
    id: textOf(conversation['conversation_id']) || textOf(conversation['id']),
    title: textOf(conversation['title']),
    pinned: conversation['is_starred'] === true,
    created: timeOf(conversation['create_time']),
    updated: timeOf(conversation['update_time']),
    systemPrompt: '',
    current: textOf(conversation['current_node']),
    messages: nodes.map(({ message }) => message),
  });
  const sum = (count: 'files' | 'steps') => nodes.reduce((total, node) => total + node[count], 0);
  return { whole, files: sum('files'), steps: sum('steps') };
}

interface ReadNode {
  readonly message: ForeignMessage;
  readonly files: number;
  readonly steps: number;
}

function readNode(id: string, node: Readonly<Record<string, unknown>>, slug: string): ReadNode {
  const message = recordOf(node['message']);
  const metadata = recordOf(message['metadata']);
  const content = recordOf(message['content']);
  const author = textOf(recordOf(message['author'])['role']);
  const { text, thinking, pictures } = readContent(content, message['channel']);
  const isHidden = metadata['is_visually_hidden_from_conversation'] === true || author === 'system';
  const isSaid =
    !isHidden && (author === 'user' || (author === 'assistant' && (message['recipient'] ?? 'all') === 'all'));
  const role = isSaid && text + thinking !== '' ? author : null;
  return {
    message: {
      id,
      parent: textOf(node['parent']) || null,
      role,
      text,
      thinking,
      model: textOf(metadata['model_slug']) || slug || 'ChatGPT',
      created: timeOf(message['create_time']),
    },
    // An uploaded image is both a part of the message and an attachment, so it must not be counted twice.
    files: isHidden ? 0 : Math.max(pictures, listOf(metadata['attachments']).length),
    steps: !isHidden && !isSaid && author !== '' && pictures === 0 ? 1 : 0,
  };
}

interface Content {
  readonly text: string;
  readonly thinking: string;
  readonly pictures: number;
}

function readContent(content: Readonly<Record<string, unknown>>, channel: unknown): Content {
  const type = content['content_type'];
  if (type === 'thoughts') {
    const thoughts = listOf(content['thoughts']).map((thought) => recordOf(thought));
    const thinking = thoughts.flatMap(({ summary, content }) => [textOf(summary), textOf(content)]);
    return { text: '', thinking: joinTexts(thinking), pictures: 0 };
  }
  // Other types are no messages, such as the user's profile (`user_editable_context`) and the time that the model has
  // thought (`reasoning_recap`).
  if (type !== 'text' && type !== 'multimodal_text') return { text: '', thinking: '', pictures: 0 };
  const parts = listOf(content['parts']);
  const spoken = parts.map((part) => textOf(part) || textOf(recordOf(part)['text']));
  const pictures = parts.filter((part) => /asset_pointer/.test(textOf(recordOf(part)['content_type']))).length;
  const text = withoutMarks(joinTexts(spoken));
  return channel === 'analysis' ? { text: '', thinking: text, pictures } : { text, thinking: '', pictures };
}

/** Removes citation marks, because their sources are not in the file. */
function withoutMarks(text: string): string {
  return text.replace(/\uE200[^\uE200\uE201]*\uE201|【\d+[†:][^【】]*】/g, '').trim();
}
