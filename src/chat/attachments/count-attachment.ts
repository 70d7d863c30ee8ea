import type { Tabserve } from '../../page/index.ts';
import { countImage, countText } from '../common/count-tokens.ts';
import type { Attachment } from '../types/conversation.ts';

/** Maximum characters whose tokens are counted. The count of a longer text is extrapolated. */
const MAX_COUNTED = 200_000;

export interface TokenCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Estimates the tokens of a file without a tokenizer; 0 for an image. */
export function estimateTokens(attachment: Attachment): TokenCount {
  return { count: attachment.kind === 'text' ? estimateTextTokens(attachment.text) : 0, isExact: false };
}

/** Estimates three bytes for each token: high for English, about right for scripts of which each character is a token. */
export function estimateTextTokens(text: string): number {
  return Math.ceil(new Blob([text]).size / 3);
}

/**
 * Counts the tokens of a file with the model's tokenizer. The count of a long text is extrapolated.
 * @throws ApiError if the model is not on this device or does not accept the file.
 */
export async function countAttachment(tabserve: Tabserve, model: string, attachment: Attachment): Promise<TokenCount> {
  if (attachment.kind === 'image') return { count: await countImage(tabserve, model, attachment.url), isExact: true };
  const { length } = attachment.text;
  const counted = attachment.text.slice(0, MAX_COUNTED);
  const count = await countText(tabserve, model, counted);
  return { count: Math.round((count * length) / counted.length), isExact: counted.length === length };
}
