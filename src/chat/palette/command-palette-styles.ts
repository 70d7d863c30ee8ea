import { css } from 'lit';

export const commandPaletteStyles = css`
  wa-dialog {
    --width: min(36rem, 94vw);
    --spacing: 0;
  }
  /* Keeps the field in place for any number of results. */
  wa-dialog::part(dialog) {
    margin-block-start: 14dvh;
  }
  /* The field always has the focus while the dialog is open, so it needs no outline: the frame of the dialog
     suffices. */
  input {
    min-height: 3.25rem;
    padding-inline: var(--space-5);
    border: 0;
    border-bottom: 1px solid var(--color-line);
    border-radius: var(--radius-large) var(--radius-large) 0 0;
    background: none;
  }
  /* Forced colours replace the transparent colour, which makes the outline visible. */
  input:focus-visible {
    outline: 2px solid transparent;
    outline-offset: -2px;
  }
  ul {
    max-height: min(24rem, 55dvh);
    margin: 0;
    padding: var(--space-2) var(--space-3) var(--space-3);
    overflow-y: auto;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: var(--target);
    padding: 0 var(--space-3);
    border-radius: var(--radius-normal);
    color: var(--color-text);
    cursor: pointer;
  }
  li svg {
    color: var(--color-text-quiet);
  }
  li span {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  li[aria-selected='true'] {
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
  }
  kbd + kbd {
    margin-inline-start: calc(-1 * var(--space-2));
  }
  mark {
    background: none;
    color: inherit;
    font-weight: 700;
  }
  /* Devices with touch or a small screen need the space for the names and rarely have the keys. */
  @media (hover: none), (width < 30rem) {
    kbd {
      display: none;
    }
  }
  p {
    margin: 0 var(--space-5) var(--space-4);
    color: var(--color-text-quiet);
  }
  @media (forced-colors: active) {
    li[aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
