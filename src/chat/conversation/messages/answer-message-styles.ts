import { css } from 'lit';

export const answerMessageStyles = css`
  article {
    position: relative;
    padding-top: var(--space-3);
  }
  /* Names the model of an answer that is compared with others. */
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-1) var(--space-3);
    min-height: calc(var(--target-small) + var(--space-2) + 3px);
    margin-bottom: var(--space-3);
    padding-bottom: var(--space-2);
    border-bottom: 1px solid var(--color-line);
  }
  h2 {
    min-width: 0;
    margin: 0;
    font-size: 0.95rem;
    font-weight: 650;
    letter-spacing: 0;
    overflow-wrap: anywhere;
  }
  header > span {
    color: var(--color-text-quiet);
    font-size: var(--text-small);
  }
  header button {
    min-height: var(--target-small);
    font-size: var(--text-small);
  }
  /* Reserves the place of the actions until the answer is complete, so that nothing moves when they appear. */
  .room {
    height: var(--target-medium);
  }
  model-offer {
    display: block;
    margin-block-start: var(--space-2);
  }
  /* A further refusal and its offer are in one line if there is room. */
  .brief {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    column-gap: var(--space-4);
  }
  .brief > * {
    flex-basis: 100%;
  }
  .brief > :is(markdown-text, model-offer) {
    flex: 0 1 auto;
    margin-block: 0;
  }
  /* Always visible: that an answer came from another computer must never be hidden behind a button. */
  .elsewhere {
    margin-inline: 0.6rem;
    font-size: 0.75rem;
    overflow-wrap: anywhere;
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.9rem;
    margin: 0;
    padding-bottom: var(--space-2);
    color: var(--color-text-quiet);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
    /* The name of a model may be one long word. */
    overflow-wrap: anywhere;
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2) var(--space-3);
    margin-top: var(--space-3);
    padding: var(--space-2) var(--space-3);
    border-radius: var(--radius-normal);
    background: var(--color-sunken);
    font-size: 0.9rem;
  }
  .notice p {
    flex: 1 1 14rem;
    margin: 0;
  }
  .notice button,
  .notice .button {
    min-height: var(--target-small);
    font-size: 0.9rem;
  }
  .notice.error {
    background: var(--color-danger-soft);
  }
  .notice.error p {
    display: flex;
    gap: var(--space-3);
  }
  .notice.error p > svg {
    flex: none;
    margin-top: 0.1rem;
    color: var(--color-danger);
  }
  @media (hover: none) {
    .notice {
      padding-block: var(--space-3);
    }
  }
  .notice .reason {
    display: block;
    font-size: var(--text-small);
    overflow-wrap: anywhere;
  }
  .cursor {
    display: inline-block;
    width: 0.5rem;
    height: 0.5rem;
    border-radius: 50%;
    background: var(--color-spark);
    animation: blink 1.1s steps(2, jump-none) infinite;
  }
  @keyframes blink {
    50% {
      opacity: 0.25;
    }
  }
  article > .quiet {
    margin: 0;
  }
  .wait {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    margin: 0;
    color: var(--color-text-quiet);
  }
  details {
    margin-bottom: var(--space-3);
    padding: 0 var(--space-3);
    border-inline-start: 3px solid var(--color-line);
    color: var(--color-text-quiet);
    font-size: 0.92rem;
  }
  summary {
    padding-block: calc((var(--target-small) - 1lh) / 2);
    cursor: pointer;
  }
`;
