import { css } from 'lit';

/** A button of the composer that shows what is on in the chat. On a phone it shows a shorter text, or only its icon. */
export const chipStyles = css`
  :host {
    min-width: 0;
  }
  .on {
    gap: var(--space-1);
    max-width: 100%;
    min-height: var(--target-small);
    padding: 0 var(--space-3);
    border-color: transparent;
    border-radius: 999px;
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
    font-size: var(--text-small);
  }
  span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .on svg {
    flex: none;
    width: 1rem;
  }
  .short {
    display: none;
  }
  @media (max-width: 30rem) {
    :host {
      flex: none;
    }
    .on {
      padding: 0 var(--space-2);
    }
    .short {
      display: inline;
    }
    .long {
      display: none;
    }
  }
`;
