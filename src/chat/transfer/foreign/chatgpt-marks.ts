import { jsonOf, listOf, recordOf, textOf, type Fields } from '../../../shared/json-values.ts';
import { firstText, wordsIn } from './foreign-values.ts';
import { linkTo } from './links.ts';
import type { MessageContent } from './message-content.ts';

/**
 * A mark in the text of ChatGPT: a kind and its values, separated by U+E202, between U+E200 and U+E201. Fonts
 * use these characters for icons, so a mark must have all three.
 */
const MARK = / ?\uE200([^\uE200-\uE202]*\uE202[^\uE200\uE201]*)\uE201/g;

/** Most characters of a mark. */
const MAX_MARK = 1000;

/** Values of marks that only point to something: results of searches, and lines of files. */
const POINTER = /^(?:turn\d+\w*|L\d+(?:-L?\d+)?|\d+)$/;

/**
 * Replaces the marks in a text of ChatGPT: by links to what the message's metadata declare for them, or else by the words
 * in the mark. Counts citations whose source is not in the file. Brackets such as `【1】` are replaced only if they are
 * declared as citations, because Chinese and Japanese text uses them, too.
 */
export function withoutMarks(into: MessageContent, text: string, metadata: Fields): string {
  const declared = declaredMarks(text, metadata);
  let plain = text.replace(MARK, (found: string, inner: string, at: number) => {
    const mark = found.trimStart();
    const blank = found.slice(0, found.length - mark.length);
    const words = takeLink(declared, mark) ?? wordsOfMark(into, inner);
    if (words !== '') return blank + words;
    if (!/^(?:hidden|memory|genui)/.test(inner)) into.leaveOut('sources');
    return /^[^\n]/.test(text.slice(at + found.length, at + found.length + 1)) ? blank : '';
  });
  plain = plain.replace(/【[^【】]*】/g, (mark) => takeLink(declared, mark) ?? mark);
  // These characters mark the cited words. Outside of marked texts they may be icons of a font.
  if (plain !== text) plain = plain.replace(/[\uE203-\uE206]/g, '');
  return [withoutBlankEnds(plain), ...footnotes(metadata)].filter((part) => part !== '').join('\n\n');
}

/** Removes the blank lines around a text. Its first line stays indented, because it may be code. */
export function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd();
}

/** Returns the next link that is declared for a mark; the last one also stands for further ones. Null: none. */
function takeLink(declared: ReadonlyMap<string, string[]>, mark: string): string | null {
  const links = declared.get(mark);
  return links === undefined ? null : ((links.length > 1 ? links.pop() : links[0]) ?? null);
}

/** Returns what the metadata declare for each mark, the last one in the text first. */
function declaredMarks(text: string, metadata: Fields): Map<string, string[]> {
  const declared = new Map<string, string[]>();
  const declare = (mark: string, words: string) => {
    if (mark !== '' && words !== '') {
      const all = declared.get(mark);
      if (all === undefined) declared.set(mark, [words]);
      else all.push(words);
    }
  };
  for (const reference of listOf(metadata['content_references']).map(recordOf)) {
    const mark = textOf(reference['matched_text']);
    if (/[\uE200【]/.test(mark)) declare(mark, wordsOfReference(reference));
  }
  const characters = [...text];
  for (const { start_ix, end_ix, metadata: source } of listOf(metadata['citations']).map(recordOf)) {
    if (typeof start_ix !== 'number' || typeof end_ix !== 'number') continue;
    if (end_ix - start_ix > MAX_MARK) continue;
    // The positions count characters; in some files UTF-16 units.
    const places = [characters.slice(start_ix, end_ix).join(''), text.slice(start_ix, end_ix)];
    const mark = places.find((place) => /^(?:【[^【】]*】|\uE200.*\uE201)$/s.test(place)) ?? '';
    if (!declared.has(mark)) declare(mark, wordsOfReference(recordOf(source)));
  }
  const sources = listOf(recordOf(metadata['_cite_metadata'])['metadata_list']).map(recordOf);
  for (const [mark, index] of text.matchAll(/【(\d+)†[^【】]*】/g)) {
    if (!declared.has(mark)) declare(mark, wordsOfReference(sources[Number(index)] ?? {}));
  }
  for (const links of declared.values()) links.reverse();
  return declared;
}

/** Returns the links of a reference in brackets; its text if it has none. */
function wordsOfReference(reference: Fields): string {
  const name = firstText(reference['name'], reference['title']);
  if (reference['type'] === 'entity') return name;
  const links = [...linksIn(reference)].map(([url, title]) => linkTo(title, url));
  if (links.length > 0) return reference['type'] === 'link_title' ? links.join(', ') : `(${links.join(', ')})`;
  const alt = textOf(reference['alt']);
  return alt || (name === '' ? '' : `(${name})`);
}

/** Sources that stand below the message: their references match only a blank. */
function footnotes(metadata: Fields): readonly string[] {
  const notes = listOf(metadata['content_references'])
    .map(recordOf)
    .filter(({ matched_text }) => textOf(matched_text).trim() === '')
    .flatMap((reference) => [...linksIn(reference)]);
  return notes.length === 0 ? [] : [[...new Map(notes)].map(([url, title]) => `- ${linkTo(title, url)}`).join('\n')];
}

/** Returns the titles by address of all sources in a reference. */
function linksIn(value: unknown, found = new Map<string, string>(), depth = 0): Map<string, string> {
  if (depth > 8) return found;
  if (Array.isArray(value)) for (const entry of value) linksIn(entry, found, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    const fields = recordOf(value);
    const url = textOf(fields['url']);
    if (/^https?:\/\//.test(url) && !found.has(url)) {
      found.set(url, firstText(fields['title'], fields['name'], fields['attribution'], url));
    }
    for (const [name, field] of Object.entries(fields))
      if (!/thumb|icon|safe_urls/.test(name)) linksIn(field, found, depth + 1);
  }
  return found;
}

/** Returns the visible words in a mark that nothing declares. */
function wordsOfMark(into: MessageContent, inner: string): string {
  const [kind = '', ...values] = inner.split('\uE202');
  const words = values.map((value) => wordsOfValue(kind, value)).filter((value) => value !== '');
  if (kind === 'image_group' || kind === 'i') into.leaveOut('images');
  const url = words.find((value) => /^https?:\/\/\S+$/.test(value));
  const [title] = words.filter((value) => value !== url);
  return url !== undefined && title !== undefined ? linkTo(title, url) : words.join(', ');
}

function wordsOfValue(kind: string, value: string): string {
  if (POINTER.test(value)) return '';
  const json = /^\s*[[{]/.test(value) ? jsonOf(value) : undefined;
  if (json === undefined) return value;
  // The first element of an entity is its kind, the second its visible name, and further ones tell it from others.
  if (Array.isArray(json) && kind.endsWith('entity') && typeof json[1] === 'string') return json[1];
  const shown = /image/.test(kind) ? recordOf(json)['query'] : json;
  return wordsIn(shown)
    .split('\n')
    .filter((line) => !POINTER.test(line))
    .join(', ');
}
