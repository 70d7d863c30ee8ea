import { inFence } from '../../shared/in-fence.ts';
import { jsonOf, recordOf, textOf } from '../../shared/json-values.ts';
import { sourceStrings } from '../strings/source-strings.ts';
import type { Answer, Source } from '../types/conversation.ts';
import { quote, unquote } from './markdown-form.ts';

/** What tells, in the file, that documents were searched but nothing was found. */
const NONE = '<!-- tabserve: no sources -->';

/**
 * Returns the passages that were found for an answer: each as a quotation for people, below a comment with what the
 * import needs beside it.
 */
export function sourceQuotations({ sources, settings: { documents } }: Answer): readonly string[] {
  if (sources === undefined) return [];
  if (sources.length === 0) return [`${NONE}\n\n*${sourceStrings.nothing(documents?.name ?? sourceStrings.unnamed)}*`];
  return sources.map(({ file, name, text }, index) => {
    const line = name.replace(/\s+/g, ' ');
    return `${comment({ file, name })}\n\n${quote(`**[${index + 1}]** ${line}\n\n${inFence(text)}`)}`;
  });
}

/** The characters of `-->` are escaped, because they would end the comment. */
function comment(fields: object): string {
  const json = JSON.stringify(fields).replace(/[->]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  return `<!-- tabserve: source ${json} -->`;
}

/** Match what {@link sourceQuotations} writes. */
const SOURCE = /^<!-- tabserve: source (\{.*\}) -->\n\n((?:>[^\n]*(?:\n|$))+)/gm;
const NO_SOURCE = new RegExp(String.raw`^${NONE}\n\n\*[^\n]*\*[ \t]*(?:\n|$)`, 'm');

/** Returns the sources in an answer of a file, and the text without them, which is still as it is in the file. */
export function takeSources(body: string): { readonly sources?: readonly Source[]; readonly rest: string } {
  const sources = [...body.matchAll(SOURCE)].map(([, json = '', quotation = '']): Source => {
    const { file, name } = recordOf(jsonOf(json));
    const [, , text = ''] = /^(`{3,})\n([^]*?)\n\1$/m.exec(unquote(quotation)) ?? [];
    return { file: textOf(file), name: textOf(name), text };
  });
  if (sources.length > 0) return { sources, rest: body.replace(SOURCE, '') };
  return NO_SOURCE.test(body) ? { sources, rest: body.replace(NO_SOURCE, '') } : { rest: body };
}
