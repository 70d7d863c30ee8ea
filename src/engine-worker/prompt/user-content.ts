import type { ChatMessage, ImagePart } from '../../shared/engine/completion-request.ts';

type UserContent = Extract<ChatMessage, { role: 'user' }>['content'];

/** Returns the texts of a user's message, joined by line feeds, and the addresses of its images. */
export function userContent(content: UserContent): { text: string; images: readonly string[] } {
  if (typeof content === 'string') return { text: content, images: [] };
  return {
    text: content
      .filter((part) => part.type === 'text')
      .map(({ text }) => text)
      .join('\n'),
    images: content.filter((part): part is ImagePart => part.type === 'image').map(({ url }) => url),
  };
}
