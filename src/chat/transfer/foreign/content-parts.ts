import { linkTo } from './links.ts';
import { fieldsOf, jsonOf, listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstText, wordsIn } from './foreign-values.ts';
import { MEDIA_FIELD } from './message-fields.ts';
import type { MessageContent } from './message-content.ts';

/**
 * Adds content in the forms that most products share: a text, a part, or a list of parts, each with a `type`. A part of
 * an unknown type becomes its words.
 */
export function addContent(into: MessageContent, content: unknown): void {
  if (typeof content === 'string') into.sayTagged(content);
  else if (Array.isArray(content)) for (const part of content) addContent(into, part);
  else if (typeof content === 'object' && content !== null) addPart(into, recordOf(content));
  else if (typeof content === 'number' || typeof content === 'boolean') into.say(String(content));
}

/** Kinds of parts, by their type in lower case without separators. The first one that matches counts. */
const KINDS: readonly (readonly [types: RegExp, add: (into: MessageContent, part: Fields) => void])[] = [
  [/^redacted|encrypted|^tokenbudget$|^flag$|^agentupdate$|^toolstatus$/, () => {}],
  [/tool(?:call)?result|calloutput|toolresponse/, addResult],
  [/tooluse|toolcall|toolinvocation|functioncall|servertool/, addCall],
  [/think|reason|thought/, (into, part) => into.think(textIn(part))],
  [/image|picture|photo/, addImage],
  [/audio|speech/, (into, part) => addMedia(into, 'audio', part)],
  [/video/, (into, part) => addMedia(into, 'videos', part)],
  [/file|document|pdf|attachment|^context$/, addFile],
  [/^(?:output|input)?text$|^transcri/, (into, part) => into.sayTagged(withCitations(textIn(part), part))],
  [/^tool|^dynamictool/, addCall],
  [/./, (into, part) => into.say(wordsIn(part))],
];

function addPart(into: MessageContent, part: Fields): void {
  const declared = firstText(part['type'], part['content_type']);
  if (declared === '' && addMediaFields(into, part)) return;
  const type = (declared || 'text').toLowerCase().replace(/[^a-z]/g, '');
  KINDS.find(([types]) => types.test(type))?.[1](into, part);
}

/** Adds what is in the {@link MEDIA_FIELD fields} of a part or a message. Returns whether there are any. */
export function addMediaFields(into: MessageContent, fields: Fields): boolean {
  const found = Object.entries(fields).filter(([name, value]) => MEDIA_FIELD.test(name) && fieldsOf(value) !== null);
  for (const [name, value] of found) {
    const media = recordOf(value);
    const type = firstText(media['mimeType'], media['mime_type']);
    addPart(into, { ...media, type: `${type} ${name.replace(/data$/i, 'file')}` });
  }
  return found.length > 0;
}

/** Fields with the text of a part, the most usual first. */
const TEXTS = [
  'text',
  'value',
  'content',
  'thinking',
  'think',
  'reasoning',
  'summary',
  'refusal',
  'transcript',
  'error',
];

/** Returns the text of a part; the words of all fields if none of the usual ones has text. */
export function textIn(part: unknown, depth = 0): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part))
    return part
      .map((one) => textIn(one, depth + 1))
      .filter(Boolean)
      .join('\n\n');
  if (typeof part !== 'object' || part === null) return '';
  const fields = recordOf(part);
  for (const name of depth > 20 ? [] : TEXTS) {
    const text = textIn(fields[name], depth + 1);
    if (text !== '') return text;
  }
  return wordsIn(part);
}

function nameOf(part: Fields): string {
  const file = recordOf(part['file']);
  return firstText(
    part['name'],
    part['filename'],
    part['file_name'],
    part['title'],
    part['fileIdentifier'],
    part['prompt'],
    part['alt'],
    file['filename'],
    file['name'],
  );
}

function addImage(into: MessageContent, part: Fields): void {
  const inner = recordOf(
    part['image_url'] ?? part['image_file'] ?? part['image'] ?? part['source'] ?? part['inline_data'],
  );
  const data = firstText(inner['data'], part['data']);
  const type = firstText(inner['media_type'], inner['mime_type'], part['mimeType'], part['mime_type'], 'image/png');
  const url = firstText(
    part['image_url'],
    part['image'],
    part['base64Url'],
    part['url'],
    inner['url'],
    inner['filepath'],
  );
  into.attachImage(nameOf(part) || nameOf(inner), url || (data === '' ? '' : `data:${type};base64,${data}`));
}

function addMedia(into: MessageContent, kind: 'audio' | 'videos', part: Fields): void {
  into.leaveOut(kind, nameOf(part));
  const words = firstText(part['transcript'], part['text']);
  if (words !== '') into.say(words);
}

/** Adds a file: as an image or as text if the file contains it; otherwise its name. */
export function addFile(into: MessageContent, part: Fields): void {
  const inner = recordOf(part['file']);
  const data = recordOf(inner['data']);
  const type = firstText(
    part['fileType'],
    part['file_type'],
    part['mime_type'],
    part['mimeType'],
    part['mediaType'],
    part['contentType'],
    inner['type'],
    inner['mime_type'],
    part['type'],
  );
  const name = nameOf(part) || nameOf(inner) || nameOf(recordOf(inner['meta']));
  const text = firstText(
    part['extracted_content'],
    part['content'],
    part['text'],
    data['content'],
    inner['content'],
    inner['text'],
  );
  if (/image/i.test(type) || /\.(?:png|jpe?g|gif|webp|heic|avif|bmp)$/i.test(name)) {
    return into.attachImage(name, firstText(part['base64Url'], part['url'], part['content'], inner['url']));
  }
  if (text !== '' && !text.startsWith('data:')) return into.attachText(name, text);
  const kind =
    /audio/i.test(type) || /\.(?:mp3|wav|m4a|ogg|flac)$/i.test(name)
      ? 'audio'
      : /video/i.test(type)
        ? 'videos'
        : 'files';
  into.leaveOut(kind, name);
}

/** Adds the call in a part, and its result if the part contains it. */
export function addCall(into: MessageContent, part: Fields): void {
  const call = recordOf(part['tool_call'] ?? part['toolCall'] ?? part['toolInvocation'] ?? part['tool']);
  const fields = Object.keys(call).length > 0 ? call : part;
  const called = recordOf(fields['function'] ?? fields['code_interpreter']);
  // Vercel's `ai` names the tool in the type of the part.
  const [, named = ''] = /^tool-(.+)/.exec(textOf(part['type'])) ?? [];
  const kind = fields['code_interpreter'] === undefined ? named : 'code_interpreter';
  const name = firstText(fields['name'], fields['tool_name'], fields['toolName'], called['name'], part['name'], kind);
  const given = [fields, called].flatMap((one) => [one['input'], one['args'], one['arguments'], one['parameters']]);
  into.call(name, parsed(given.find((input) => input !== undefined && input !== '')));
  const results = [fields, called, part].flatMap((one) => [
    one['output'],
    one['outputs'],
    one['result'],
    one['response'],
  ]);
  const output = results.find((result) => result !== undefined && result !== null && result !== '');
  if (output !== undefined) addOutput(into, name, output);
}

function addResult(into: MessageContent, part: Fields): void {
  const name = firstText(part['name'], part['tool_name'], part['toolName']);
  addOutput(into, name, part['content'] ?? part['output'] ?? part['result'] ?? part['text']);
}

/** Adds the output of a tool: its words, and the images among its parts. */
export function addOutput(into: MessageContent, name: string, output: unknown): void {
  const images = listOf(output).filter(isImage).map(recordOf);
  const rest = images.length === 0 ? output : listOf(output).filter((part) => !isImage(part));
  into.result(name, rest);
  for (const image of images) into.leaveOut('images', nameOf(image));
}

function isImage(part: unknown): boolean {
  return /image/i.test(textOf(recordOf(part)['type']));
}

/** Arguments are often JSON within JSON. */
function parsed(input: unknown): unknown {
  const value = typeof input === 'string' ? jsonOf(input) : input;
  return typeof value === 'object' && value !== null ? value : input;
}

/** Adds a link behind each cited place of a text. Positions count UTF-16 units. */
function withCitations(text: string, part: Fields): string {
  const cited = listOf(part['citations'])
    .map(recordOf)
    .map((citation) => {
      const details = recordOf(citation['details']);
      const url = firstText(details['url'], citation['url']);
      const { end_index: end } = citation;
      return {
        url,
        title: firstText(citation['title'], details['title'], url),
        end: typeof end === 'number' ? end : text.length,
      };
    })
    .filter(({ url }) => /^https?:\/\//.test(url))
    .toSorted((one, other) => other.end - one.end);
  return cited.reduce(
    (linked, { url, title, end }) => `${linked.slice(0, end)} (${linkTo(title, url)})${linked.slice(end)}`,
    text,
  );
}
