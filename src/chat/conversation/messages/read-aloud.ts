/**
 * The paragraphs of an answer as they are read aloud: without the marks of Markdown, and without code, which nobody can
 * follow by ear.
 */
export function spokenText(markdown: string): readonly string[] {
  return markdown
    .replace(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1.*$|$(?![^]))/gm, '\n\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\|?[-: |]{3,}\|?$)[ \t]?/gm, '')
    .replace(/[*_`~|]+/g, '')
    .split(/\n\s*\n|\n(?=\S)/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
}

/**
 * Reads an answer aloud, paragraph by paragraph, in place of whatever is being read.
 * @param voices At least one; the one that speaks the language of the browser is taken where there is one.
 * @param told Called with whether words are still to come, at once and after each paragraph, also when the reading is cancelled.
 */
export function readAloud(
  markdown: string,
  voices: readonly SpeechSynthesisVoice[],
  told: (speaking: boolean) => void,
): void {
  speechSynthesis.cancel();
  const utterances = spokenText(markdown).map((text) => new SpeechSynthesisUtterance(text));
  const voice = voices.find(({ lang }) => lang.startsWith(navigator.language.slice(0, 2))) ?? voices[0]!;
  let rest = utterances.length;
  for (const utterance of utterances) {
    Object.assign(utterance, { voice, lang: voice.lang });
    const ended = () => told((rest -= 1) > 0);
    utterance.addEventListener('end', ended);
    utterance.addEventListener('error', ended);
    speechSynthesis.speak(utterance);
  }
  told(utterances.length > 0);
}
