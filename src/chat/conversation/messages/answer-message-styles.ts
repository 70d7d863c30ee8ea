import { css } from 'lit';

export const answerMessageStyles = css`
  article {
    position: relative;
    padding-top: var(--space-3);
  }
  /*
   * While an answer grows, a transform positions its figures below it: moving them with each new line would count as
   * layout shifts. An invisible copy of the figures reserves their space.
   */
  .room {
    visibility: hidden;
  }
  .live {
    position: absolute;
    inset: 0;
    container-type: size;
    pointer-events: none;
  }
  .live .figures {
    translate: 0 calc(100cqh - 100%);
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.9rem;
    margin: 0;
    padding-block: 0.5rem;
    padding-inline: 0.6rem var(--space-2);
    color: var(--color-text-quiet);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
    /* The name of a model may be one long word. */
    overflow-wrap: anywhere;
  }
  /* Puts the figures where they will be when the answer is complete: in the row of its buttons. */
  :is(.room, .live) > .figures {
    align-content: center;
    min-height: 2.25rem;
    padding-inline-start: 0;
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
  .choice {
    margin-top: var(--space-3);
  }
  .choice button,
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
    min-height: 2rem;
    cursor: pointer;
  }
`;
