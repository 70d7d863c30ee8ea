import { textIn } from './content-parts.ts';
import { recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { wordsIn } from './foreign-values.ts';
import { FILES, MEDIA_FIELD, PARENTS, SOURCES, THOUGHTS, TIMES } from './message-fields.ts';
import type { MessageContent } from './message-content.ts';

/** In Claude's `text`, this stands for each part that is no text. */
const PLACEHOLDER = /```\s*This block is not supported on your current device yet\.\s*```/g;

/** Returns the lines of `text` that are not in the texts of the content, because some products repeat those in `text`. */
export function restOfText(text: string, content: unknown): string {
  const said = (Array.isArray(content) ? content : [content]).filter(isTextPart).map((part) => textIn(part));
  const all = said.join('\n');
  const own = text.replace(PLACEHOLDER, '').trim();
  if (bare(all).includes(bare(own))) return '';
  const lines = new Set(all.split('\n').map(bare));
  const rest = own.split('\n').filter((line) => bare(line) === '' || !lines.has(bare(line)));
  return lines.has(bare(rest.join(''))) ? '' : rest.join('\n').trim();
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}

function isTextPart(part: unknown): boolean {
  return typeof part !== 'object' || /text|^$/.test(textOf(recordOf(part)['type']));
}

/** Fields of messages that are read elsewhere. */
const READ: ReadonlySet<string> = new Set([
  ...PARENTS,
  ...FILES,
  ...TIMES,
  ...SOURCES,
  ...THOUGHTS,
  'content',
  'text',
  'refusal',
  'merged',
  'audio',
  'images',
  'error',
  'metadata',
  'tool_calls',
  'toolCalls',
  'function_call',
  'code_executions',
  'author',
  'sender',
  'senderInfo',
  'from',
  'name',
]);

/** Fields of messages that are not written for people, or not part of the chat. */
const TECHNICAL =
  /^_|^(?:user|userContext|modelName|models|endpoint|avatar|children|usage|timings|info|feedback|annotation|logprobs|finish_?[rR]eason|stop_reason|input_mode|plugins?|assistant|statusHistory|followUps|lastSentence|originalContent|addedConvo|contextMeta|conversationSignature|sync_sources|channel|recipient|provider|version|system_fingerprint|service_tier|signature|embeddings?|tags|locale|language)$|(?:uuid|_at|At|_?[tT]ime|_?[uU][rR][lL])$/;

/** Adds the words of the fields that are of no known name, without those that the message already has. */
export function addUnknownFields(into: MessageContent, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (READ.has(name) || TECHNICAL.test(name) || MEDIA_FIELD.test(name)) continue;
    const words = wordsIn({ [name]: value });
    if (words.trim() !== '') into.say(restOfText(words, `${into.text}\n${into.thinking}`));
  }
}
