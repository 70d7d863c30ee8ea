import { css } from 'lit';

export const keyStyles = css`
  kbd {
    display: inline-block;
    padding: 0.1em 0.45em;
    border: 1px solid var(--color-line);
    border-bottom-width: 2px;
    border-radius: var(--radius-small);
    background: var(--color-surface);
  }
`;
