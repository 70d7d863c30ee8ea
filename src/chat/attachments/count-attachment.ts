import type { Tabserve } from '../../page/index.ts';
import { countImage, countText } from '../common/count-tokens.ts';
import type { Attachment } from '../types/conversation.ts';

/** Characters whose tokens are counted: of longer texts these tell how long they are, about. */
const MOST_COUNTED = 200_000;

export interface TokenCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Where nobody counts: none too few of a text, most of whose tokens have three letters or more; none of an image. */
export function estimateTokens(attachment: Attachment): TokenCount {
  return { count: attachment.kind === 'text' ? Math.ceil(attachment.text.length / 3) : 0, isExact: false };
}

/**
 * How many tokens a file has for a model; of a long text about.
 * @throws ApiError where the model is not on this device, or cannot take it.
 */
export async function countTokens(tabserve: Tabserve, model: string, attachment: Attachment): Promise<TokenCount> {
  if (attachment.kind === 'image') return { count: await countImage(tabserve, model, attachment.url), isExact: true };
  const { length } = attachment.text;
  const counted = attachment.text.slice(0, MOST_COUNTED);
  const count = await countText(tabserve, model, counted);
  return { count: Math.round((count * length) / counted.length), isExact: counted.length === length };
}
