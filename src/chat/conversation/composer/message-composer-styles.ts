import { css } from 'lit';

export const messageComposerStyles = css`
  :host {
    display: block;
    padding: 0 var(--margin, var(--space-4)) max(var(--space-2), env(safe-area-inset-bottom));
  }
  form {
    display: grid;
    /* Keeps a long model name from making the form wider than its container. */
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-1);
    /* Same width as the messages above. */
    max-width: var(--measure);
    margin-inline: auto;
    padding: var(--space-2);
    border: 1px solid var(--color-line-strong);
    border-radius: 1.25rem;
    background: var(--color-surface);
    box-shadow: var(--shadow-raised);
  }
  form:focus-within {
    border-color: var(--color-accent);
    outline: 3px solid color-mix(in oklab, var(--color-accent) 16%, transparent);
  }
  textarea {
    field-sizing: content;
    min-height: 2.75rem;
    max-height: 40dvh;
    padding: var(--space-2) var(--space-3);
    border: 0;
    background: none;
    resize: none;
  }
  .drop {
    border-style: dashed;
    border-color: var(--color-accent);
    background: var(--color-accent-soft);
  }
  /* The frame around the whole form shows the focus instead. */
  textarea:focus-visible {
    outline: none;
  }
  .tools,
  .tools > div {
    display: flex;
    align-items: center;
    gap: var(--space-1);
    min-width: 0;
  }
  .end {
    flex: 1 1 auto;
  }
  /* If space is short, the buttons keep their width and the model's name shrinks. */
  .tools button {
    flex: none;
  }
  .model {
    position: relative;
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-width: 0;
    max-width: 18rem;
    min-height: var(--target);
    padding-inline: var(--space-2);
    border-radius: var(--radius-normal);
    color: var(--color-text-quiet);
    font-size: 0.85rem;
  }
  .model > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .model::after {
    content: '';
    flex: none;
    width: 0.4rem;
    height: 0.4rem;
    margin-top: -0.2rem;
    border: solid;
    border-width: 0 2px 2px 0;
    rotate: 45deg;
  }
  .model:hover {
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
  }
  .model:has(:focus-visible) {
    outline: 2px solid var(--color-focus);
  }
  /*
   * The select is transparent and covers the name of the model, because browsers do not shorten a name inside a select.
   * It opens the browser's own list.
   */
  select {
    position: absolute;
    inset: 0;
    min-height: 0;
    padding: 0;
    opacity: 0;
    cursor: pointer;
  }
  option {
    background: var(--color-surface);
    color: var(--color-text);
  }
  .space {
    flex: 1;
  }
  .go {
    width: var(--target);
    padding: 0;
    border-radius: 50%;
  }
  /* Style of the send button while there is nothing to send. The button stays enabled, because disabling it would
     lose the focus. It also looks so below the pointer, which rests on it after a question was sent. */
  .go[aria-disabled='true'],
  .go[aria-disabled='true']:hover:not(:disabled) {
    border-color: transparent;
    background: var(--color-sunken);
    color: var(--color-text-quiet);
    cursor: default;
  }
  /* Reserves one line, which nearly every text fits, so that nothing moves when the text changes. */
  .hint {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-3);
    height: 1.5rem;
    margin: var(--space-1) 0 0;
    color: var(--color-text-quiet);
    font-size: 0.75rem;
  }
  .hint button {
    min-height: 0;
    padding: 0 var(--space-2);
    font-size: inherit;
  }
  .hint > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  /* The text that says where a question goes is never cut. */
  .hint:has(.whole) {
    height: auto;
    min-height: 1.5rem;
  }
  .hint > .whole {
    overflow-wrap: anywhere;
    text-align: center;
    white-space: normal;
  }
  progress {
    flex: none;
    width: 8rem;
    height: 0.4rem;
    --progress-color: var(--color-spark);
  }
  @media (max-width: 30rem) {
    .hint {
      margin: 0;
      font-size: min(0.75rem, 3.4vw);
    }
    /* On a phone, the name of the model may take several lines. If it would become narrower than a short name, Send
       moves to a second row together with the other controls at its side. */
    .tools {
      flex-wrap: wrap;
    }
    .tools > div {
      flex: 999 1 12rem;
      /* Less if the name is short, in browsers that can compute it. */
      flex-basis: calc-size(max-content, min(size, 12rem));
    }
    .tools > .end {
      flex: 1 0 auto;
    }
    .model > span {
      line-height: 1.3;
      overflow-wrap: anywhere;
      white-space: normal;
    }
  }
  @media (pointer: coarse), (max-width: 30rem) {
    .keys {
      display: none;
    }
  }
`;
