import type { ResponseFormat } from '@mlc-ai/web-llm';
import type { ThinkingMarkers } from '../../answer/thinking-splitter.ts';

/**
 * Returns the format of an answer that begins with a thinking block. The grammar does not restrict what the model thinks,
 * so a mark of a call there begins no call. The constrained part follows after an empty line, as such models write it.
 * @param format A grammar or structural tag.
 * @param isOpen Whether the prompt ends inside the thinking block.
 */
export function afterThinking(
  format: ResponseFormat,
  { open, close }: ThinkingMarkers,
  isOpen: boolean,
): ResponseFormat {
  const { grammar, structural_tag: tag } = format as { grammar?: string; structural_tag?: { format: object } };
  const thought = { type: 'tag', begin: isOpen ? '' : open, content: { type: 'any_text' }, end: close } as const;
  const answer = tag === undefined ? { type: 'grammar', grammar } : tag.format;
  const sequence = { type: 'sequence', elements: [thought, { type: 'const_string', value: '\n\n' }, answer] };
  return { type: 'structural_tag', structural_tag: { type: 'structural_tag', format: sequence } } as ResponseFormat;
}
