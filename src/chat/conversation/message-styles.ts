import { css } from 'lit';

/** What questions and answers share. Messages off the screen cost no layout, however long the chat. */
export const messageStyles = css`
  :host {
    display: block;
    content-visibility: auto;
    contain-intrinsic-size: auto 12rem;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    min-height: 2.25rem;
    margin-inline-start: -0.6rem;
    color: var(--color-text-quiet);
  }
  .actions button.icon {
    width: 2.25rem;
    min-height: 2.25rem;
  }
  .actions svg {
    width: 1.1rem;
    height: 1.1rem;
  }
`;
