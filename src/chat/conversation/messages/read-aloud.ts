/** Returns the paragraphs of an answer to read aloud, without Markdown syntax and code. */
export function spokenText(markdown: string): readonly string[] {
  return (
    markdown
      .replace(/^[ \t>]*(`{3,}|~{3,})[^]*?(?:^[ \t>]*\1.*$|$(?![^]))/gm, '\n\n')
      .replace(/!?\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\)|\s+"[^"]*")*\)/g, '$1')
      .replace(/\[\^[^\]\s]+\]:?/g, '')
      .replace(/<\/?(?:br|b|i|u|s|em|strong|sub|sup|kbd|mark|details|summary)(?:\s[^<>]*|\/)?>/gi, ' ')
      // Without a space after it, a dash is the sign of a number.
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+](?=[ \t])|\|?[-: |]{3,}\|?$)[ \t]?/gm, '')
      .replace(/^[ \t]*\[[ x]\] /gim, '')
      .replace(/(?<=[\d)])( ?)\*\1(?=[\d(])/g, ' × ')
      // An underscore within a word is part of a name.
      .replace(/[*`~|]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
      .split(/\n\s*\n|\n(?=\S)/)
      .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
      .filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph))
  );
}

/** Tells that the present reading is over. */
let end = (): void => {};

/** Stops reading. Browsers differ in how many paragraphs they report then, so none of these events is waited for. */
export function stopReading(): void {
  end();
  speechSynthesis.cancel();
}

/**
 * Reads an answer aloud paragraph by paragraph, and stops any other reading.
 * @param voices At least one. A voice in the browser's language is preferred.
 * @param told Called at the start, after each paragraph, and when the reading is stopped or fails, with whether more
 * paragraphs follow.
 */
export function readAloud(
  markdown: string,
  voices: readonly SpeechSynthesisVoice[],
  told: (speaking: boolean) => void,
): void {
  stopReading();
  const life = new AbortController();
  end = () => {
    end = () => {};
    life.abort();
    told(false);
  };
  const utterances = spokenText(markdown).map((text) => new SpeechSynthesisUtterance(text));
  const voice = voices.find(({ lang }) => lang.startsWith(navigator.language.slice(0, 2))) ?? voices[0]!;
  let rest = utterances.length;
  for (const utterance of utterances) {
    Object.assign(utterance, { voice, lang: voice.lang });
    utterance.addEventListener('end', () => told((rest -= 1) > 0), life);
    utterance.addEventListener('error', stopReading, life);
    speechSynthesis.speak(utterance);
  }
  told(utterances.length > 0);
}
