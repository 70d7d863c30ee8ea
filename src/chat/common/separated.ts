import { css, html, type TemplateResult } from 'lit';

/** Renders facts with "·" between them, or with a line break in its place. Needs {@link separatedStyles}. */
export function separated(facts: readonly unknown[]): TemplateResult {
  return html`<span class="separated">${facts.map((fact, index) =>
    index === 0 ? html`<span>${fact}</span>` : html` <span><i>· </i>${fact}</span>`,
  )}</span>`;
}

/** Each separator is in the gap before its fact. At the start of a line that place is outside and cut off. */
export const separatedStyles = css`
  .separated {
    display: inline-flex;
    flex-wrap: wrap;
    column-gap: 0.9em;
    max-width: 100%;
    overflow-x: clip;
    vertical-align: top;
  }
  .separated > span {
    position: relative;
    min-width: 0;
  }
  .separated i {
    position: absolute;
    inset-inline-end: 100%;
    width: 0.9em;
    font-style: normal;
    text-align: center;
  }
`;
