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
    min-height: var(--target);
    margin-inline-start: -0.6rem;
    color: var(--color-text-quiet);
    /* Custom properties reach the buttons that are components of their own. */
    --target: 2.25rem;
    --icon-size: 1.1rem;
  }
  @media print {
    :host {
      content-visibility: visible;
    }
    .actions {
      display: none;
    }
  }
`;
