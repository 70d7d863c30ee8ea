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

/** Scripts with letters of which voices of other languages say nothing, and languages that are written in them. */
const SCRIPTS: readonly (readonly [letters: RegExp, languages: string])[] = [
  [/[\u3040-\u30ff]/g, 'ja'],
  [/\p{Script=Han}/gu, 'zh yu ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Cyrillic}/gu, 'ru uk bg sr mk be kk'],
  [/\p{Script=Arabic}/gu, 'ar fa ur'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Devanagari}/gu, 'hi mr ne'],
  [/\p{Script=Thai}/gu, 'th'],
];

/** Returns the voice for a paragraph: in the browser's language, or in one of the script in which a third of it is written. */
function voiceFor(text: string, voices: readonly SpeechSynthesisVoice[]): SpeechSynthesisVoice {
  const own = navigator.language.slice(0, 2);
  const count = (letters: RegExp): number => text.match(letters)?.length ?? 0;
  const [, languages = own] = SCRIPTS.find(([letters]) => count(letters) * 3 > count(/\p{L}/gu)) ?? [];
  const spoken = [...(languages.includes(own) ? [own] : []), ...languages.split(' '), own];
  const fitting = spoken.map((language) => voices.find(({ lang }) => lang.startsWith(language)));
  return fitting.find((voice) => voice !== undefined) ?? voices[0]!;
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
 * @param voices At least one. Each paragraph gets a voice that can read its letters, if possible in the browser's language.
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
  const paragraphs = spokenText(markdown);
  let rest = paragraphs.length;
  for (const text of paragraphs) {
    const utterance = new SpeechSynthesisUtterance(text);
    const voice = voiceFor(text, voices);
    Object.assign(utterance, { voice, lang: voice.lang });
    utterance.addEventListener('end', () => told((rest -= 1) > 0), life);
    utterance.addEventListener('error', stopReading, life);
    speechSynthesis.speak(utterance);
  }
  told(paragraphs.length > 0);
}
