import { inFence } from '../../shared/in-fence.ts';
import type { ContentPart } from '../types/chat-completion-request.ts';
import { withoutCitations } from './citations.ts';
import type { AttachedPart, Attachment, Message } from '../types/conversation.ts';

/** Introductions to attached texts, for the model. In English, which models read best. */
const INTRODUCTIONS: Readonly<Record<AttachedPart, string>> = {
  whole: 'Attached file',
  beginning: 'Beginning of the attached file',
  passages: 'Passages that fit the question, of the attached file',
};

/** Returns the content of a message in a request: its images, then its attached texts and its own text. */
export function messageContent(message: Message): string | readonly ContentPart[] {
  if (message.role === 'assistant') return message.sources ? withoutCitations(message.text) : message.text;
  const text = questionText(message);
  const images = (message.attachments ?? []).filter((attachment) => attachment.kind === 'image');
  if (images.length === 0) return text;
  const shown = images.map(({ url }): ContentPart => ({ type: 'image_url', image_url: { url } }));
  return text === '' ? shown : [...shown, { type: 'text', text }];
}

/**
 * Returns the attached texts and the question as Markdown. Each file is a line with its name and a fenced block whose
 * language is the file extension.
 */
export function questionText({
  text,
  attachments = [],
}: Pick<Message, 'text'> & { attachments?: readonly Attachment[] | undefined }): string {
  return [...attachments.flatMap((attachment) => textOf(attachment)), text].filter((part) => part !== '').join('\n\n');
}

export function hasImages(message: Message): boolean {
  return message.role === 'user' && (message.attachments ?? []).some(({ kind }) => kind === 'image');
}

/** Replaces images by their names, for models that accept no images. */
export function withNamesOfImages(path: readonly Message[]): readonly Message[] {
  return path.map((message) => {
    if (message.role !== 'user' || !hasImages(message)) return message;
    const { attachments = [], text } = message;
    const names = attachments.filter(({ kind }) => kind === 'image').map(({ name }) => nameOfImage(name));
    const told = [...names, text].filter((part) => part !== '').join('\n\n');
    return { ...message, text: told, attachments: attachments.filter(({ kind }) => kind !== 'image') };
  });
}

/** Returns the text that replaces an image for a model that accepts no images. */
export function nameOfImage(name: string): string {
  return `Attached image ${quoted(name)}, which is not shown here.`;
}

/** Quotes a file name so that line breaks and quotes inside it cannot end the line or the name. */
function quoted(name: string): string {
  return JSON.stringify(name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200));
}

function textOf(attachment: Attachment): readonly string[] {
  if (attachment.kind === 'image') return [];
  const { name, part, text } = attachment;
  const [, language = ''] = /\.([a-z0-9]{1,8})$/i.exec(name) ?? [];
  return [`${INTRODUCTIONS[part]} ${quoted(name)}:\n${inFence(text, language.toLowerCase())}`];
}
