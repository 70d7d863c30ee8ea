import { css } from 'lit';

/** Styles of questions and answers. Messages off the screen cost no layout. */
export const messageStyles = css`
  :host {
    display: block;
    /*
     * What is contained is clipped: room for the rings and grounds of buttons that stick out. No more than the smallest margin
     * of the conversation: what is wider can be scrolled sideways.
     */
    margin-inline: -9px;
    padding: 0 9px 4px;
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
  /* They stay together, beside the figures or below them. */
  .buttons {
    display: flex;
    align-items: center;
  }
  .apart {
    margin-inline-start: var(--space-4);
  }
  /*
   * With a pointer that can rest on a message its buttons come when it does; those of the last ones are always there. That is an
   * attribute: with :last-of-type each new message would have the styles of all others computed anew.
   */
  @media (hover: hover) {
    .actions :is(button.icon, copy-button, answer-tools) {
      transition: opacity 120ms;
    }
    :host([earlier]:not(:hover, :focus-within)) .actions :is(button.icon, copy-button, answer-tools) {
      opacity: 0;
    }
  }
  message-menu {
    display: none;
  }
  /* A finger cannot rest on a message: what the buttons do stands in one menu. */
  @media (hover: none) {
    .actions :is(button.icon, copy-button, answer-tools) {
      display: none;
    }
    message-menu {
      display: inline-flex;
      /* Its dots end where the texts do. */
      margin-inline: auto -0.75rem;
      --target: 2.75rem;
    }
    /* In one row with the menu, however narrow. */
    .figures {
      flex: 1 1 8rem;
    }
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
