/** Words that make a sentence absolute. */
const ABSOLUTE =
  /\b(never|nothing|nobody|nowhere|no|none|only|alone|stays?|blocks?|cannot|offline|without|any|refused)\b|(is|are|does|do|will) not\b/i;

/** What such a sentence promises: that something does not leave or is not stored, or works without a network. */
const PRIVACY = new RegExp(
  [
    String.raw`\b(leaves?|sent|sends|telemetry|uploads?|network|elsewhere|offline|encrypted|sees|reach(es)?|stores?|stored|kept)\b`,
    String.raw`\b(on|to|from|of) (the|this|your) device\b`,
    String.raw`\b(in|of) this browser\b`,
    String.raw`\brequests? .*\bsent\b`,
    String.raw`\bstays? (on|in|here|with)\b`,
    String.raw`\b(?:an)?other (origins?|hosts?|sites?|address(es)?|servers?)\b`,
  ].join('|'),
  'i',
);

/** What the browser is said to do for privacy: a promise even without an absolute word. */
const ENFORCED = /\b(the|this|your) browser (itself )?(blocks?|enforces?|refuses?|stops?)\b/i;

/** Where data are said to be: a promise even without an absolute word. */
const STORED_HERE = /\b(is|are) (stored|kept|saved) (only )?(in|on) (this|your|the) (browser|device)\b/i;

/** Whether a sentence may be a promise about privacy or offline use. It is then in one of the tables beside this file. */
export function isPromise(sentence: string): boolean {
  return ENFORCED.test(sentence) || STORED_HERE.test(sentence) || (ABSOLUTE.test(sentence) && PRIVACY.test(sentence));
}
