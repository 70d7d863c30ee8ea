import type { ChatMessage } from '../../shared/engine/completion-request.ts';

type UserContent = Extract<ChatMessage, { role: 'user' }>['content'];

/** Stands for an image in the text of a turn: a code point that Unicode reserves for no character. */
const IMAGE_PLACE = '\uFDD0';

/** A part of a turn: a text, or the address of an image. */
export type TurnPart = { readonly text: string } | { readonly image: string };

/**
 * Returns the text of a user's message, in which {@link IMAGE_PLACE} stands for each image, and the addresses of the images.
 * Texts are joined by line feeds. Images stand before the text, as models were trained to see them, unless there is text
 * between images, which then may say which is which.
 */
export function userContent(content: UserContent): { text: string; images: readonly string[] } {
  if (typeof content === 'string') return { text: content, images: [] };
  const images = content.flatMap((part) => (part.type === 'image' ? [part.url] : []));
  if (images.length === 0) return { text: textsOf(content).join('\n'), images };
  const kinds = content.map(({ type }) => type);
  const between = kinds.slice(kinds.indexOf('image'), kinds.lastIndexOf('image'));
  if (!between.includes('text')) {
    return { text: IMAGE_PLACE.repeat(images.length) + textsOf(content).map(withoutPlaces).join('\n'), images };
  }
  const pieces = content.map((part, index) => {
    if (part.type === 'image') return IMAGE_PLACE;
    return kinds[index + 1] === 'text' ? `${withoutPlaces(part.text)}\n` : withoutPlaces(part.text);
  });
  return { text: pieces.join(''), images };
}

function textsOf(content: Exclude<UserContent, string>): readonly string[] {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function withoutPlaces(text: string): string {
  return text.replaceAll(IMAGE_PLACE, '');
}

/** Divides texts of one turn into texts and the images that stand in them. Empty texts are left out. */
export function turnParts(texts: readonly string[], images: readonly string[]): readonly TurnPart[] {
  let next = 0;
  return texts.flatMap((text) =>
    text.split(IMAGE_PLACE).flatMap((piece, index) => {
      const image = index > 0 ? images[next++] : undefined;
      return [...(image === undefined ? [] : [{ image }]), ...(piece === '' ? [] : [{ text: piece }])];
    }),
  );
}
