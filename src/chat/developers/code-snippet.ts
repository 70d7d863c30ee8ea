import { css, html, LitElement } from 'lit';
import { codeFigure } from '../markdown/code-figure.ts';
import { highlightCode } from '../markdown/highlight-code.ts';
import { markdownStyles } from '../markdown/markdown-styles.ts';

/** Highlighted JavaScript with a copy button. */
export class CodeSnippet extends LitElement {
  static override properties = { code: { attribute: false } };
  declare code: string;

  static override styles = [
    markdownStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      figure.code {
        margin: 0;
      }
    `,
  ];

  override render() {
    const pre = document.createElement('pre');
    const code = document.createElement('code');
    code.className = 'language-javascript';
    code.textContent = this.code;
    pre.append(code);
    return html`${codeFigure(pre)}`;
  }

  override updated(): void {
    highlightCode(this.renderRoot);
  }
}
customElements.define('code-snippet', CodeSnippet);
