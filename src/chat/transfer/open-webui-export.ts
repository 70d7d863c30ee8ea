import type { ForeignMessage } from './foreign-tree.ts';
import { listOf, recordOf, textOf, timeOf } from './foreign-values.ts';
import { toWholeConversation, type ReadConversation } from './whole-conversation.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads one conversation of Open WebUI's export (as of 2026, unspecified). `chat.history` has `messages` by id, each
 * with `parentId`; `currentId` ends the branch that was shown. Old exports have a list, `chat.messages`.
 */
export function readOpenWebUiConversation(exported: unknown): ReadConversation {
  const entry = recordOf(exported);
  // An export of one chat may lack the outer object.
  const chat = 'chat' in entry ? recordOf(entry['chat']) : entry;
  const history = recordOf(chat['history']);
  const nodes =
    'messages' in history ? Object.entries(recordOf(history['messages'])) : linear(listOf(chat['messages']));
  if (nodes.length === 0) return { whole: 'empty', files: 0, steps: 0 };
  const read = nodes.map(([id, node]) => readMessage(id, recordOf(node)));
  const whole = toWholeConversation({
    id: textOf(entry['id']) || textOf(chat['id']),
    title: textOf(entry['title']) || textOf(chat['title']),
    pinned: entry['pinned'] === true,
    created: timeOf(entry['created_at']) ?? timeOf(chat['timestamp']),
    updated: timeOf(entry['updated_at']),
    systemPrompt: textOf(recordOf(chat['params'])['system']) || textOf(chat['system']),
    current: textOf(history['currentId']) || (nodes.at(-1)?.[0] ?? ''),
    messages: read.map(({ message }) => message),
  });
  const sum = (count: 'files' | 'steps') => read.reduce((total, message) => total + message[count], 0);
  return { whole, files: sum('files'), steps: sum('steps') };
}

/** Nodes of a list of messages, each with its predecessor as parent. */
function linear(messages: readonly unknown[]): [id: string, node: object][] {
  return messages.map((message, index) => [
    String(index),
    { ...recordOf(message), parentId: index === 0 ? null : String(index - 1) },
  ]);
}

function readMessage(
  id: string,
  fields: Fields,
): { readonly message: ForeignMessage; readonly files: number; readonly steps: number } {
  const { role } = fields;
  const parts = listOf(fields['content']).map((part) => recordOf(part));
  const content = textOf(fields['content']) || parts.map(({ text }) => textOf(text)).join('\n\n');
  const { text, thinking, steps } =
    role === 'assistant' ? readAnswer(content) : { text: content, thinking: '', steps: 0 };
  const isSaid = (role === 'user' || role === 'assistant') && (text + thinking).trim() !== '';
  return {
    message: {
      id,
      parent: textOf(fields['parentId']) || null,
      role: isSaid ? role : null,
      text,
      thinking: thinking || textOf(fields['reasoning_content']),
      model: textOf(fields['model']) || textOf(fields['modelName']) || 'Open WebUI',
      created: timeOf(fields['timestamp']),
    },
    files: listOf(fields['files']).length + parts.filter(({ type }) => type === 'image_url').length,
    steps: steps + (role === 'tool' ? 1 : 0),
  };
}

const BEGIN = '<details type="';
const END = '</details>';

/** Separates the text of an answer from its reasoning and tool calls, which are HTML `details` elements in the text. */
function readAnswer(content: string): { readonly text: string; readonly thinking: string; readonly steps: number } {
  const thoughts: string[] = [];
  const texts: string[] = [];
  let steps = 0;
  let at = 0;
  for (;;) {
    const begin = content.indexOf(BEGIN, at);
    const end = begin === -1 ? -1 : content.indexOf(END, begin);
    if (end === -1) break;
    texts.push(content.slice(at, begin));
    if (content.startsWith('reasoning"', begin + BEGIN.length)) thoughts.push(thoughtIn(content.slice(begin, end)));
    else steps += 1;
    at = end + END.length;
  }
  texts.push(content.slice(at));
  return { text: texts.join('').trim(), thinking: thoughts.join('\n\n'), steps };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'", '#39': "'" };

/** Returns the reasoning in a `details` element: the text below the summary, without Markdown's quote marks. */
function thoughtIn(html: string): string {
  const [head = '', ...below] = html.split('</summary>');
  const text = below.length === 0 ? head.slice(head.indexOf('>') + 1) : below.join('');
  return text
    .replace(/&(lt|gt|amp|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/^> ?/gm, '')
    .trim();
}
