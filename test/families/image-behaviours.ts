import type { ChatMessage } from '../../src/shared/engine/completion-request.ts';
import { BEHAVIOURS, type Behaviour } from './behaviours.ts';

/** Stands for an image in prompts. */
export const IMAGE_WORD = '«image»';

const IMAGE = { type: 'image', url: 'data:image/png;base64,' } as const;
const text = (content: string) => ({ type: 'text', text: content }) as const;
const user = (...content: Extract<Extract<ChatMessage, { role: 'user' }>['content'], readonly unknown[]>) =>
  ({ role: 'user', content }) as const;

const { messages: called, tools } = BEHAVIOURS.find(({ name }) => name === 'one result')!.request;

/** The columns of the table about images. */
export const IMAGE_BEHAVIOURS: readonly Behaviour[] = [
  { name: 'one image', request: { messages: [user(IMAGE, text('wordone'))] } },
  { name: 'image without text', request: { messages: [user(IMAGE)] } },
  { name: 'two images', request: { messages: [user(IMAGE, IMAGE, text('wordone'))] } },
  { name: 'image after its text', request: { messages: [user(text('wordone'), IMAGE)] } },
  {
    name: 'texts between images',
    request: { messages: [user(text('wordone'), IMAGE, text('wordtwo'), IMAGE, text('wordthree'))] },
  },
  {
    name: 'image in an earlier turn',
    request: {
      messages: [
        user(IMAGE, text('wordone')),
        { role: 'assistant', content: 'wordtwo', toolCalls: [] },
        { role: 'user', content: 'wordthree' },
      ],
    },
  },
  {
    name: 'image below a system message',
    request: { messages: [{ role: 'system', content: 'wordsys' }, user(IMAGE, text('wordone'))] },
  },
  { name: 'image beside tools', request: { tools: tools!, messages: [user(IMAGE, text('wordone'))] } },
  {
    name: 'image and a result',
    request: { tools: tools!, messages: [user(IMAGE, text('wordone')), ...called.slice(1)] },
  },
];

/**
 * Returns the words and images of a conversation in the order in which the prompt must have them: images before the text of
 * their turn, unless they stand among its texts. A prompt may have further words in front, such as those of tools.
 */
export function placesOf({ messages }: Behaviour['request']): readonly string[] {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return content.match(/word[a-z]+/g) ?? [];
    const places = content.map((part) => (part.type === 'text' ? part.text : IMAGE_WORD));
    const isBefore = places.lastIndexOf(IMAGE_WORD) - places.indexOf(IMAGE_WORD) < places.filter(isImage).length;
    return isBefore ? places.toSorted((a, b) => Number(isImage(b)) - Number(isImage(a))) : places;
  });
}

function isImage(place: string): boolean {
  return place === IMAGE_WORD;
}
