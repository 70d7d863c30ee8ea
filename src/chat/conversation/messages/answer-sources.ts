import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { BUILT_IN_MODEL_ID } from '../../../shared/models/built-in-models.ts';
import { ActionController } from '../../common/action-controller.ts';
import '../../markdown/markdown-text.ts';
import { loadPart } from '../../browser/load-part.ts';
import { modelName } from '../../common/model-name.ts';
import type { Answer, Source } from '../../types/conversation.ts';
import { sourceStrings } from '../../strings/source-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';

/**
 * Matches a first line that is probably the headings above a passage, which the search puts before it, and the rest: it
 * is short, has no marks of Markdown and does not end as a sentence or a line of one does.
 */
const HEADING_PATH = /^([^\n#|>*`[-][^\n|*`[]{0,150}[^\n.!?,;:…])\n([^a-z\n][^]*)$/;

/** The passages that were found for a question: below an answer as a list, and in its place if the page answers. */
export class AnswerSources extends LitElement {
  static override properties = { answer: { attribute: false } };
  declare answer: Answer;
  readonly #actions = new ActionController(this);

  static override styles = [
    controlStyles,
    css`
      :host {
        display: block;
        margin-top: var(--space-3);
      }
      h2 {
        margin-bottom: var(--space-1);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        font-weight: 600;
        letter-spacing: 0;
      }
      p {
        margin: 0 0 var(--space-3);
        text-wrap: pretty;
      }
      ol {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        min-width: 0;
        max-width: 100%;
      }
      button {
        max-width: 100%;
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        border-color: var(--color-line);
        border-radius: 999px;
        background: var(--color-sunken);
        font-size: var(--text-small);
        font-weight: 400;
      }
      button span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .passages {
        display: grid;
        gap: var(--space-3);
      }
      blockquote {
        max-height: 16rem;
        margin: 0 0 var(--space-2);
        padding: 0 var(--space-3);
        overflow: auto;
        border-inline-start: 3px solid var(--color-line-strong);
        overflow-wrap: anywhere;
      }
      .plain {
        white-space: pre-wrap;
      }
      .path {
        margin-bottom: var(--space-2);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
      }
    `,
  ];

  override render() {
    const { sources = [], settings, text, model, state } = this.answer;
    const name = settings.documents?.name ?? sourceStrings.unnamed;
    if (sources.length === 0) return html`<p>${sourceStrings.nothing(name)}</p>`;
    const isAnswer = text === '' && state === 'complete' && model === BUILT_IN_MODEL_ID;
    return html`${
      isAnswer
        ? html`<p>${sourceStrings.found(sources.length, name)} ${sourceStrings.hardlyReads(modelName(model))}</p>`
        : html`<h2 id="title">${sourceStrings.sources}</h2>`
    }
      <ol class=${isAnswer ? 'passages' : ''} aria-label=${isAnswer ? sourceStrings.passages : sourceStrings.sources}>
        ${sources.map((source, index) => html`<li>${this.#source(source, index, isAnswer)}</li>`)}
      </ol>
      ${this.#actions.notice}`;
  }

  #source({ name, text }: Source, index: number, isWhole: boolean): TemplateResult {
    return html`${isWhole ? html`<blockquote class=${isMarkdown(name) ? '' : 'plain'} dir="auto" tabindex="0">${passageWords(name, text)}</blockquote>` : nothing}
      <button type="button" aria-haspopup="dialog" aria-label=${sourceStrings.open(index + 1, name)} title=${name} @click=${() => this.open(index)}>
        ${index + 1} <span dir="auto">${name}</span>
      </button>`;
  }

  /** Shows a passage in its file. */
  open(index: number): void {
    const { sources = [], settings } = this.answer;
    const source = sources[index];
    if (source === undefined) return;
    void this.#actions.run(async () => {
      const { showPassage } = await loadPart(import('./passage-dialog.ts'));
      showPassage(source, settings.documents?.id ?? '');
    });
  }
}
/** Whether the text of a file is Markdown, whose marks a person need not see. */
function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown|mdx|qmd|rmd)$/i.test(name);
}

/** Renders a passage: Markdown as in answers, below the headings of its section; other text as it is. */
function passageWords(name: string, text: string): TemplateResult | string {
  if (!isMarkdown(name)) return text;
  const [, path = '', rest = ''] = HEADING_PATH.exec(text) ?? [];
  return html`${path === '' ? nothing : html`<p class="path">${path}</p>`}<markdown-text .text=${rest === '' ? text : rest}></markdown-text>`;
}

customElements.define('answer-sources', AnswerSources);

declare global {
  interface HTMLElementTagNameMap {
    'answer-sources': AnswerSources;
  }
}
