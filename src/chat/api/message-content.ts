import type { ContentPart } from '../types/chat-completion-request.ts';
import type { AttachedPart, Attachment, Message } from '../types/conversation.ts';

/** The model reads these, and models read English best. */
const INTRODUCTIONS: Readonly<Record<AttachedPart, string>> = {
  whole: 'Attached file',
  beginning: 'Beginning of the attached file',
  passages: 'Passages that fit the question, of the attached file',
};

/** What the model is given of a message: its text, behind the texts of the files that go with it, and their images. */
export function messageContent(message: Message): string | readonly ContentPart[] {
  if (message.role === 'assistant') return message.text;
  const text = questionText(message);
  const images = (message.attachments ?? []).filter((attachment) => attachment.kind === 'image');
  if (images.length === 0) return text;
  const shown = images.map(({ url }): ContentPart => ({ type: 'image_url', image_url: { url } }));
  return text === '' ? shown : [...shown, { type: 'text', text }];
}

/**
 * A question with the files before it, each in the form of Markdown: a line that names it, then its text in a fence that is
 * longer than any in the text, with the ending of the name as the language.
 */
export function questionText({
  text,
  attachments = [],
}: Pick<Message, 'text'> & { attachments?: readonly Attachment[] | undefined }): string {
  return [...attachments.flatMap((attachment) => textOf(attachment)), text].filter((part) => part !== '').join('\n\n');
}

/** Whether images go with a message. */
export function hasImages(message: Message): boolean {
  return message.role === 'user' && (message.attachments ?? []).some(({ kind }) => kind === 'image');
}

/** Messages as they are for a model that sees no images: it is told their names. */
export function withNamesOfImages(path: readonly Message[]): readonly Message[] {
  return path.map((message) => {
    if (message.role !== 'user' || !hasImages(message)) return message;
    const { attachments = [], text } = message;
    const names = attachments.filter(({ kind }) => kind === 'image').map(({ name }) => nameOfImage(name));
    const told = [...names, text].filter((part) => part !== '').join('\n\n');
    return { ...message, text: told, attachments: attachments.filter(({ kind }) => kind !== 'image') };
  });
}

/** What is told of an image that is not shown. */
export function nameOfImage(name: string): string {
  return `Attached image ${quoted(name)}, which is not shown here.`;
}

/** Whatever a name holds, it stays on its line and within its quotes. */
function quoted(name: string): string {
  return JSON.stringify(name.replace(/\p{C}/gu, ' ').slice(0, 200));
}

function textOf(attachment: Attachment): readonly string[] {
  if (attachment.kind === 'image') return [];
  const { name, part, text } = attachment;
  const [, language = ''] = /\.([a-z0-9]{1,8})$/i.exec(name) ?? [];
  return [`${INTRODUCTIONS[part]} ${quoted(name)}:\n${inFence(text, language.toLowerCase())}`];
}

/** A text as Markdown shows it as it is: in a fence that is longer than any in it. */
export function inFence(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
