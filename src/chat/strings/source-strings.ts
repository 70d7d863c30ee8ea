import { formatNumber } from './format.ts';
import { documentCount } from './document-count.ts';
import { localized } from './page-language.ts';

/** Documents in a chat. */
export const sourceStrings = localized('sourceStrings', {
  choose: 'Documents',
  chosen: (name: string) => `Documents of this chat: ${name}`,
  none: 'No documents',
  manage: 'Manage documents…',
  missing: (name: string) => `${name} (deleted)`,
  unnamed: 'the documents',
  sources: 'Sources',
  passages: 'Passages that fit the question',
  found: (count: number, name: string) =>
    count === 1
      ? `1 passage of ${name} fits the question.`
      : `${formatNumber(count)} passages of ${name} fit the question.`,
  hardlyReads: (model: string) => `${model} is too small to read them, so they are shown as they are.`,
  nothing: (name: string) =>
    `Nothing in ${name} fits this question, so no model was asked. Ask in other words, or choose other documents.`,
  stillIndexing: (done: number, total: number) =>
    `Nothing was found yet: ${formatNumber(done)} of ${documentCount(total)} ${total === 1 ? 'is' : 'are'} indexed. Ask again when the rest is, too.`,
  open: (number: number, name: string) => `Source ${number} ${name}`,
  gone: 'The file is no longer in the collection. This is the passage that was found.',
  moved: 'The file has changed since, and no longer has this passage. This is the passage that was found.',
  opening: 'Opening the file…',
  passage: 'The passage',
  save: 'Save the file',
  page: (page: number) => `Page ${formatNumber(page)}`,
  leftOut: '[…]',
});
