import { css } from 'lit';

export const questionMessageStyles = css`
  .row {
    display: flex;
    align-items: flex-end;
    gap: 0 var(--space-4);
    border-bottom: 2px solid var(--color-accent-soft);
  }
  .tab {
    position: relative;
    min-width: 3rem;
    max-width: 40rem;
    padding: 0.6rem 1rem 0.55rem;
    border-radius: 0.9rem 0.9rem 0 0;
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
  }
  .text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .folded {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 8;
  }
  .fold {
    min-height: 1.75rem;
    margin-top: var(--space-1);
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font-size: var(--text-small);
    text-decoration: underline;
    text-underline-offset: 0.18em;
  }
  /* The curve at the foot of the tab, where the tab meets the line below. */
  .tab::after {
    content: '';
    position: absolute;
    inset-block-end: 0;
    inset-inline-start: 100%;
    width: 0.8rem;
    height: 0.8rem;
    background: radial-gradient(circle at 100% 0, transparent 0.8rem, var(--color-accent-soft) calc(0.8rem + 0.5px));
  }
  :host(:dir(rtl)) .tab::after {
    background: radial-gradient(circle at 0 0, transparent 0.8rem, var(--color-accent-soft) calc(0.8rem + 0.5px));
  }
  .actions {
    flex: none;
    flex-wrap: nowrap;
    margin-inline-start: auto;
  }
  /* Aligns the dots of the menu's icon with the end of the line. */
  message-menu {
    margin-inline-end: -0.75rem;
  }
  /* On narrow screens the question's tab takes the whole width, with the buttons below it. */
  @media (max-width: 40rem) {
    .row {
      flex-direction: column;
      border: 0;
    }
    .tab {
      width: 100%;
      border-radius: 0.9rem;
    }
    .tab::after {
      display: none;
    }
  }
  /* Touch screens show a single button, which fits on the right of the question's tab. */
  @media (hover: none) and (max-width: 40rem) {
    .row {
      flex-direction: row;
      align-items: center;
      gap: var(--space-1);
    }
    .tab {
      width: auto;
      min-width: 0;
    }
  }
  form {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-3);
    border-radius: var(--radius-large);
    background: var(--color-accent-soft);
  }
  textarea {
    field-sizing: content;
    min-height: 4rem;
    max-height: 50vh;
    resize: vertical;
  }
  form div {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
`;
