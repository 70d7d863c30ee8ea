import { html } from 'lit';
import '../../../src/chat/developers/code-snippet.ts';
import { SNIPPETS } from '../../../src/chat/developers/snippets.ts';
import '../../../src/chat/markdown/markdown-text.ts';
import { ARABIC, FORMULAS, LONG_WORDS, RICH_TEXT, WIDE_TEXT } from '../samples/conversations.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

function markdown(text: string, growing = false): SpecimenState {
  return { template: () => html`<markdown-text .text=${text} ?growing=${growing}></markdown-text>` };
}

/** Code with characters that a browser does not draw, or that reverse what follows. */
const HIDDEN =
  "Inline `a\u200bb`.\n\n```js\n// check the \u202e\u2066name\u2069\nconst \u3164 = 'a\u00adb'; // ❤️\n```\n\n```\nplain \u202etext\n```";

const VALUES = { baseUrl: 'https://example.org/v1', model: 'pocket', key: 'local', question: LONG_WORDS };

export const markdownSpecimens: SpecimenTable = {
  'markdown-text': {
    everything: markdown(RICH_TEXT),
    wide: markdown(WIDE_TEXT),
    'right-to-left': markdown(
      `${ARABIC}\n\n- ${ARABIC}\n- Latin\n\n| ${ARABIC} | b |\n|---|---|\n| Latin | 2 |\n\n${RICH_TEXT}`,
    ),
    formulas: markdown(FORMULAS),
    streaming: markdown('Settled.\n\n```js\nconst unfinished = `', true),
    'formula-streaming': markdown('Settled: \\(x^2\\).\n\n\\[\n\\frac{1}{2', true),
    'hidden-characters': markdown(HIDDEN),
    empty: markdown(''),
  },
  'code-snippet': { wide: { template: () => html`<code-snippet .code=${SNIPPETS.fetch(VALUES)}></code-snippet>` } },
};
