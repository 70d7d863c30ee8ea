import highlighter from 'highlight.js/lib/common';

export interface HighlightRequest {
  readonly code: string;
  readonly language: string;
}

/** HTML with everything escaped except the highlighter's own spans; null for an unknown language. */
export type HighlightResult = string | null;

addEventListener('message', ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  const isKnown = highlighter.getLanguage(language) !== undefined;
  const result: HighlightResult = isKnown
    ? highlighter.highlight(code, { language, ignoreIllegals: true }).value
    : null;
  postMessage(result);
});
