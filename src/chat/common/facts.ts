import { css, html, type TemplateResult } from 'lit';

/** A term and its value in a `dl`. Needs {@link factStyles}. */
export function fact(name: string, value: unknown): TemplateResult {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Facts wrap into as many columns as fit. */
export const factStyles = css`
  dl {
    display: flex;
    flex-wrap: wrap;
    margin: 0;
    font-size: var(--text-small);
  }
  dt {
    color: var(--color-text-quiet);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;
