import { fieldsOf, textOf, type Fields } from '../../shared/json-values.ts';

/** Returns the content of a delta and its refusal. */
export function saidIn({ content, refusal }: Fields): string {
  const [text, refused] = [textIn(content), textIn(refusal)];
  return text !== '' && refused !== '' && !/\s$/.test(text) ? `${text}\n\n${refused}` : text + refused;
}

/** Returns the thinking in a delta. Some servers repeat it under several names, so only the first field is used. */
export function thinkingOf(delta: Fields): string {
  const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, content } = delta;
  for (const field of [reasoning_content, reasoning, reasoning_text, thinking]) {
    const found = textIn(field) || textIn(field, 'thinking');
    if (found !== '') return found;
  }
  return textIn(reasoning_details, 'thinking') + textIn(content, 'thinking');
}

/** Types of parts that are thinking. */
const THINKING = /reason|think|thought/;

/**
 * Returns the text of a string, of a part, or of a list of parts. `kind` selects the parts: those with text or those
 * with thinking.
 */
function textIn(content: unknown, kind: 'text' | 'thinking' = 'text'): string {
  if (typeof content === 'string') return kind === 'text' ? content : '';
  if (Array.isArray(content)) return content.map((part) => textIn(part, kind)).join('');
  const part = fieldsOf(content);
  if (part === null) return '';
  const { type, thinking, summary, text, value, refusal } = part;
  const isThinking = THINKING.test(textOf(type));
  if (kind === 'thinking') {
    const found = [thinking, summary, ...(isThinking ? [text, part['content']] : [])];
    // Thinking may itself be a list of parts.
    return found.map((field) => textIn(field) || textIn(field, 'thinking')).find(Boolean) ?? '';
  }
  if (isThinking) return '';
  return textIn(text) || textOf(value) || textIn(refusal) || textIn(part['content']);
}
