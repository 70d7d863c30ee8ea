import { css } from 'lit';

/** A list of questions above the field, each with its buttons. */
export const questionListStyles = css`
  ul {
    display: grid;
    /* Else a long question would push its buttons out of the window. */
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-1);
    /* Many questions would push the field out of a small window. */
    max-height: 25dvh;
    overflow-y: auto;
    width: min(var(--measure), 100% - 2 * var(--margin, var(--space-4)));
    margin: 0 auto var(--space-2);
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    gap: var(--space-1) var(--space-2);
    padding-inline-start: var(--space-3);
    border: 1px solid var(--color-line);
    border-radius: var(--radius-normal);
    background: var(--color-surface);
    font-size: var(--text-small);
    --target: var(--target-medium);
    --icon-size: 1rem;
  }
  .next,
  .files {
    flex: none;
    color: var(--color-text-quiet);
  }
  .text {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  button:not(.icon) {
    flex: none;
    min-height: var(--target-small);
    padding: 0 var(--space-3);
    font-size: inherit;
  }
  button.icon {
    flex: none;
  }
  /* The list would clip the outer part of the outline. */
  button:focus-visible {
    outline-offset: -2px;
  }
`;
