import { css } from 'lit';

export const conversationViewStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 0;
    container-type: inline-size;
    --edge: var(--space-4);
  }
  @media (min-width: 52rem) {
    :host {
      --edge: var(--space-5);
    }
  }
  /*
   * Distance of the content from the edge, including the scrollbar gutter on both sides. With gutters of 15 px, as on
   * most systems, the messages align with the title of the chat.
   */
  .content,
  nearly-full-notice,
  .below {
    --margin: max(var(--space-5) - 15px, var(--edge) - (100cqi - 100%) / 2);
  }
  /* Reserves the height of the header, which loads after the first paint. */
  @media screen and (min-width: 52.01rem) {
    conversation-header {
      min-height: calc(3.25rem + 1px);
    }
  }
  conversation-header:not(:defined) {
    display: block;
  }
  .scroller {
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    overflow-x: hidden;
    scrollbar-gutter: stable both-edges;
    outline-offset: -2px;
  }
  .content {
    min-height: 100%;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .messages {
    display: flex;
    flex-direction: column;
    width: min(var(--measure), 100% - 2 * var(--margin));
    margin-inline: auto;
    /* At the end, room for the warning of a nearly full chat. It is always kept, because the warning appears late and
       nothing may move then. */
    padding-block: var(--space-5) 4.5rem;
  }
  @container (width < 30rem) {
    .messages {
      padding-bottom: 7.5rem;
    }
  }
  @media not print {
    .unseen {
      opacity: 0;
    }
  }
  .leaving {
    position: absolute;
    height: 0;
    padding: 0;
    content-visibility: hidden;
  }
  question-message {
    flex: none;
    margin-top: var(--space-6);
  }
  question-message:first-child {
    margin-top: 0;
  }
  answer-message {
    flex: none;
  }
  /* Two answers to one question are side by side if there is room. Together they are wider than a single answer. */
  .beside {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4) var(--space-5);
  }
  @media (min-width: 64rem) {
    .beside {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      align-self: center;
      width: var(--both);
    }
    .messages {
      --both: min(76rem, calc(100vw - var(--sidebar-width) - 2 * var(--space-5)));
    }
    /* Aligns the question with the first answer. The question is wider by its own padding. */
    question-message:has(+ .beside) {
      align-self: center;
      width: calc(var(--both) + 18px);
    }
  }
  .note {
    place-self: center;
    max-width: 30rem;
    padding: var(--space-5);
    color: var(--color-text-quiet);
    text-align: center;
    text-wrap: balance;
  }
  .note h1 {
    font: inherit;
    letter-spacing: 0;
  }
  /*
   * Scrollbar gutters on both sides give this box the width of the scroll container above it. Gutters need overflow
   * other than visible, which would clip shadows and the scroll button; so the box extends over the messages.
   */
  .below {
    position: relative;
    margin-top: -4rem;
    padding-top: 4rem;
    overflow: hidden;
    scrollbar-gutter: stable both-edges;
    isolation: isolate;
    pointer-events: none;
  }
  /* Messages fade out where they scroll below the composer. */
  .below::before {
    content: '';
    position: absolute;
    inset: 2.5rem 0 auto;
    height: 1.5rem;
    z-index: -1;
    background: linear-gradient(transparent, var(--color-page));
  }
  @media (forced-colors: active) {
    .below::before {
      display: none;
    }
  }
  .below > * {
    pointer-events: auto;
  }
  .to-end {
    position: absolute;
    inset-block-start: calc(4rem - var(--target) - var(--space-3));
    inset-inline-start: 50%;
    translate: -50% 0;
    width: var(--target);
    padding: 0;
    border-radius: 50%;
    box-shadow: var(--shadow-raised);
  }
  .error {
    width: min(var(--measure), 100% - 2 * var(--margin));
    margin: 0 auto var(--space-2);
    padding: var(--space-2) var(--space-4);
    border-radius: var(--radius-normal);
    background: var(--color-danger-soft);
    font-size: 0.9rem;
  }
  @media print {
    :host,
    .content,
    .messages {
      display: block;
      height: auto;
      max-width: none;
    }
    .scroller {
      overflow: visible;
    }
    .below {
      display: none;
    }
  }
`;
