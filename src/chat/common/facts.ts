import { css, html, type TemplateResult } from 'lit';

/** Renders a term and its value, for a `dl`. Needs {@link factStyles}. */
export function fact(name: string, value: unknown): TemplateResult {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Styles of a `dl`: its terms and values wrap into as many columns as fit. */
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
