import { Tokenizer, type Tokens } from 'marked';

/**
 * Matches the character before which an address written without brackets ends: punctuation outside ASCII, such as
 * `，`, `。`, `）`, `」` or `”`, because scripts without spaces put it directly behind an address. A middle dot does not
 * end it, because Catalan and Japanese words contain it.
 */
const END =
  /(?![\0-\u007f\u00b7\u30fb])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\u2014\u2015\u2192\u301c\uff0b\uff1c-\uff1e\uff5c\uff5e]/u;

/**
 * Matches an address that ends with its host, because a script without spaces follows: `https://example.org에서`. The host of
 * the whole would be another one.
 */
const HOST =
  /^(?:https?:\/\/|www\.)[a-z\d.-]+\.[a-z]{2,}(?::\d+)?(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}])(?![^\s/?#]*\.[a-z])/iu;

/**
 * Reads an address without brackets, such as `https://example.org/a`, as GitHub does, but ends it at {@link END} and after
 * {@link HOST}.
 */
export function linkAddress(this: Tokenizer, text: string): Tokens.Link | undefined {
  const end = HOST.exec(text)?.[0].length ?? text.search(END);
  return Tokenizer.prototype.url.call(this, end < 0 ? text : text.slice(0, end));
}
