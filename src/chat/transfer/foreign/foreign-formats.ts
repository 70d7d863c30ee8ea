import { NOTHING_LEFT_OUT } from '../left-out.ts';
import type { ReadConversation } from '../read-conversation.ts';
import { readChatGptConversation } from './chatgpt-export.ts';
import { listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstId, firstText, timeOf } from './foreign-values.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { readLmStudioConversation } from './lm-studio-export.ts';
import { readMessageList, withoutAnswered } from './message-list.ts';
import { messagesIn } from './plain-messages.ts';

interface Format {
  /** Whether an object is a chat of this format. */
  readonly is: (chat: Fields) => boolean;
  readonly read: (chat: Fields) => ReadConversation;
}

/** The formats of other products. The first one whose `is` is true reads a chat. */
const FORMATS: readonly Format[] = [
  { is: hasFragments, read: readDeepSeekConversation },
  { is: (chat) => 'mapping' in chat, read: readChatGptConversation },
  { is: (chat) => 'chat_messages' in chat, read: readClaudeConversation },
  { is: (chat) => 'conv' in chat, read: readLlamaServerConversation },
  {
    // Other products name their chats in a field `chat`.
    is: ({ chat, history }) => isContainer(chat) || Array.isArray(history) || 'messages' in recordOf(history),
    read: readOpenWebUiConversation,
  },
  {
    is: (chat) => listOf(chat['messages']).some((message) => 'versions' in recordOf(message)),
    read: readLmStudioConversation,
  },
  { is: (chat) => 'messagesTree' in chat || 'conversationId' in chat, read: readLibreChatConversation },
  { is: (chat) => 'safeHtmlItem' in chat || isActivity(chat), read: readGeminiActivity },
  { is: (chat) => messagesIn(chat).length > 0, read: readOtherConversation },
];

/** Whether an object is a chat of a known product. */
export function isForeignChat(exported: unknown): boolean {
  const chat = recordOf(exported);
  return FORMATS.some(({ is }) => is(chat));
}

/** Reads one chat of another product; `unknown` if its format is none of those that are known. */
export function readForeignConversation(exported: unknown): ReadConversation {
  const chat = recordOf(exported);
  const format = FORMATS.find(({ is }) => is(chat));
  return format?.read(chat) ?? { whole: 'unknown', left: NOTHING_LEFT_OUT };
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Claude's `conversations.json`: `chat_messages` with `sender` and `content`. */
function readClaudeConversation(chat: Fields): ReadConversation {
  return readMessageList({
    id: textOf(chat['uuid']),
    title: textOf(chat['name']),
    pinned: chat['is_starred'] === true,
    created: timeOf(chat['created_at']),
    updated: timeOf(chat['updated_at']),
    systemPrompt: '',
    current: textOf(chat['current_leaf_message_uuid']),
    messages: listOf(chat['chat_messages']),
    product: textOf(chat['model']) || 'Claude',
  });
}

/** Export of llama-server's page: the chat in `conv`, all messages of all branches in `messages`. */
function readLlamaServerConversation(chat: Fields): ReadConversation {
  const conv = recordOf(chat['conv']);
  return readMessageList({
    id: textOf(conv['id']),
    title: textOf(conv['name']),
    pinned: conv['pinned'] === true,
    created: null,
    updated: timeOf(conv['lastModified']),
    systemPrompt: '',
    current: textOf(conv['currNode']),
    messages: listOf(chat['messages']),
    product: 'llama.cpp',
  });
}

/**
 * Open WebUI's export. `chat.history` has `messages` by id, each with `parentId`; `currentId` ends the branch that was
 * shown. Old exports have a list, `chat.messages`. An export of one chat may lack the outer object. Other programs write
 * a list of messages as `history` or `chat`.
 */
function readOpenWebUiConversation(entry: Fields): ReadConversation {
  const chat = isContainer(entry['chat']) ? recordOf(entry['chat']) : entry;
  const history = recordOf(chat['history']);
  const nodes = Object.entries(recordOf(history['messages'])).map(([id, node]) => ({ ...recordOf(node), id }));
  const lists = [nodes, ...[chat, entry].flatMap((one) => [one['messages'], one['history'], one['chat']]).map(listOf)];
  return readMessageList({
    id: firstId(entry['id'], chat['id']),
    title: firstText(entry['title'], chat['title']),
    pinned: entry['pinned'] === true,
    created: timeOf(entry['created_at']) ?? timeOf(chat['timestamp']),
    updated: timeOf(entry['updated_at']),
    systemPrompt: firstText(recordOf(chat['params'])['system'], chat['system']),
    current: textOf(history['currentId']),
    messages: lists.find((list) => list.length > 0) ?? [],
    product: 'Open WebUI',
  });
}

/** LibreChat's export: messages in a list, or in a tree of `children`. */
function readLibreChatConversation(chat: Fields): ReadConversation {
  const options = recordOf(chat['options']);
  return readMessageList({
    id: textOf(chat['conversationId']),
    title: textOf(chat['title']),
    pinned: false,
    created: timeOf(chat['createdAt']),
    updated: timeOf(chat['updatedAt']),
    systemPrompt: firstText(options['promptPrefix'], options['instructions'], options['system']),
    current: '',
    messages: flattened(chat['messagesTree'] ?? chat['messages']),
    product: firstText(options['model'], chat['endpoint']) || 'LibreChat',
  });
}

/** Returns the messages of a tree, each after its parent. */
function flattened(tree: unknown): readonly Fields[] {
  const found: Fields[] = [];
  const open = (Array.isArray(tree) ? [...tree] : [tree]).map(recordOf).toReversed();
  for (let message = open.pop(); message !== undefined; message = open.pop()) {
    const { children, ...fields } = message;
    found.push(fields);
    open.push(
      ...listOf(children)
        .map((child) => ({ parentMessageId: fields['messageId'], ...recordOf(child) }))
        .toReversed(),
    );
  }
  return found;
}

/** Nodes of DeepSeek's export look like ChatGPT's, but their messages consist of fragments. */
function hasFragments(chat: Fields): boolean {
  return Object.values(recordOf(chat['mapping'])).some((node) => 'fragments' in recordOf(recordOf(node)['message']));
}

function readDeepSeekConversation(chat: Fields): ReadConversation {
  const messages = Object.entries(recordOf(chat['mapping'])).map(([id, node]) => {
    const { parent, message } = recordOf(node);
    const { model, inserted_at: created, fragments, files } = recordOf(message);
    const isQuestion = listOf(fragments).some((fragment) => recordOf(fragment)['type'] === 'REQUEST');
    const role = isQuestion ? 'user' : 'assistant';
    return { id, parentId: parent, model, created_at: created, files, role, content: fragments };
  });
  return readMessageList({
    id: textOf(chat['id']),
    title: textOf(chat['title']),
    pinned: false,
    created: timeOf(chat['inserted_at']),
    updated: timeOf(chat['updated_at']),
    systemPrompt: '',
    current: '',
    messages,
    product: 'DeepSeek',
  });
}

function isActivity({ header, title }: Fields): boolean {
  return /^(?:Gemini|Bard)/.test(textOf(header)) && textOf(title) !== '';
}

/**
 * An entry of Google Takeout's `My Activity` of Gemini: one question with its answer in HTML. The chats to which they
 * belong are not in it. Entries about settings have no answer.
 */
function readGeminiActivity(entry: Fields): ReadConversation {
  const title = textOf(entry['title']);
  const question = title.replace(/^Prompted\s+/, '');
  const answer = listOf(entry['safeHtmlItem']).map((item) => htmlToMarkdown(textOf(recordOf(item)['html'])));
  const messages = [
    { role: 'user', content: question, created_at: entry['time'], files: entry['attachedFiles'] },
    { role: 'assistant', content: answer.join('\n\n') },
  ];
  const isAsked = question !== title || answer.length > 0;
  return readMessageList({
    id: `gemini ${textOf(entry['time'])}`,
    title: question,
    pinned: false,
    created: timeOf(entry['time']),
    updated: timeOf(entry['time']),
    systemPrompt: '',
    current: '',
    messages: isAsked ? messages.filter(({ content }) => content !== '') : [],
    product: 'Gemini',
  });
}

/** Jan's export, and any other chat with a list of messages. */
function readOtherConversation(chat: Fields): ReadConversation {
  const about = recordOf(chat['conversation']);
  const messages = withoutAnswered(messagesIn(chat));
  return readMessageList({
    id: firstId(chat['id'], about['id'], chat['thread_id'], recordOf(messages[0])['thread_id']),
    title: firstText(chat['title'], chat['name'], chat['chatTitle'], chat['topic'], about['title']),
    pinned: chat['pinned'] === true,
    created: timeOf(chat['created_at'] ?? chat['createdAt'] ?? chat['created'] ?? about['create_time']),
    updated: timeOf(chat['updated_at'] ?? chat['updated'] ?? chat['lastModified'] ?? chat['exported_at']),
    systemPrompt: firstText(
      chat['system'],
      chat['systemPrompt'],
      chat['system_prompt'],
      recordOf(chat['systemInstruction'])['text'],
    ),
    current: '',
    messages,
    product: firstText(chat['model'], recordOf(chat['runSettings'])['model'], 'assistant'),
  });
}
