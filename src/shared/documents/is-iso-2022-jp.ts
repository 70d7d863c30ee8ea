/** Characters within which the encoding is recognised. */
const SAMPLE = 8192;

/** Matches what begins Japanese text in ISO-2022-JP, whose bytes are all ASCII. */
// oxlint-disable-next-line no-control-regex
const ESCAPE = /\u001b\$[@B]/;

/** Whether a text that was decoded as UTF-8 is in ISO-2022-JP. */
export function isIso2022Jp(text: string): boolean {
  return ESCAPE.test(text.slice(0, SAMPLE));
}
