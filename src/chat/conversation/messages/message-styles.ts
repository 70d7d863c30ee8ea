import { css } from 'lit';

/** Styles of questions and answers. Messages off the screen cost no layout. */
export const messageStyles = css`
  :host {
    display: block;
    /* Makes room for focus rings and button backgrounds, which content-visibility would clip. A margin wider than
       the conversation's smallest margin would make the conversation scroll sideways. */
    margin-inline: -9px;
    padding: 0 9px 4px;
    content-visibility: auto;
    contain-intrinsic-size: auto 12rem;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    min-height: var(--target-medium);
    margin-inline-start: -0.6rem;
    color: var(--color-text-quiet);
    /* Sizes of all buttons below, also in the shadow trees of child elements, which inherit custom properties. */
    --target: var(--target-medium);
    --icon-size: 1.1rem;
  }
  .buttons {
    display: flex;
    align-items: center;
  }
  /* What is always shown is at the end of the line, so that it does not float beside buttons that are not shown. */
  message-menu + :is(branch-switcher, .elsewhere) {
    margin-inline-start: auto;
  }
  /* With a pointer that can hover, a message shows its buttons on hover; the last messages always show them. An
     attribute marks the earlier messages, because with :last-of-type each new message would recompute the styles of
     all others. */
  @media (hover: hover) {
    .actions :is(button.icon, copy-button, listen-and-compare, message-menu) {
      transition: opacity 120ms;
    }
    :host([earlier]:not(:hover, :focus-within))
      .actions
      :is(button.icon, copy-button, listen-and-compare, message-menu) {
      opacity: 0;
    }
  }
  /* Touch screens cannot hover, so one menu replaces the buttons. */
  @media (hover: none) {
    .actions :is(.buttons, button.icon, copy-button) {
      display: none;
    }
    message-menu {
      /* Aligns the dots of the menu's icon with the text. */
      margin-inline-start: -0.25rem;
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
