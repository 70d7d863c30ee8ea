import { css } from 'lit';

export const toolRoundsStyles = css`
  ul {
    display: grid;
    gap: var(--space-2);
    margin: 0 0 var(--space-3);
    padding: 0;
    list-style: none;
  }
  li {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .call {
    border: 1px solid var(--color-line);
    border-radius: var(--radius-normal);
    background: var(--color-sunken);
    font-size: 0.9rem;
  }
  .waiting {
    padding: var(--space-3);
    border-color: var(--color-accent);
  }
  summary {
    padding: calc((var(--target-medium) - 1lh) / 2) var(--space-3);
    cursor: pointer;
  }
  dl {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding: 0 var(--space-3) var(--space-3);
  }
  .waiting dl {
    padding: var(--space-2) 0;
  }
  dt {
    color: var(--color-text-quiet);
    font-size: var(--text-small);
  }
  dd {
    min-width: 0;
    margin: 0;
  }
  pre {
    max-height: 12rem;
    margin: 0;
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  /* Hebrew and Arabic letters would reorder the operators and numbers between them. */
  pre.code {
    direction: ltr;
    unicode-bidi: bidi-override;
  }
  p {
    margin: 0;
    font-weight: 550;
  }
  .hidden-note {
    padding: 0 var(--space-3) var(--space-3);
    font-weight: 400;
    font-size: var(--text-small);
  }
  .waiting .hidden-note {
    padding: 0 0 var(--space-2);
  }
  .consequences {
    margin-block-end: var(--space-2);
    font-weight: 400;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .buttons button {
    min-height: var(--target-medium);
    font-size: inherit;
  }
`;
