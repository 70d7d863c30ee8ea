import { unsafeCSS } from 'lit';
import styles from './controls.css?inline';

/**
 * Shared styles for buttons, fields and headings: `button` (plain), `.primary`, `.danger`, `.icon` (square, icon only,
 * needs an `aria-label`), `input`, `select`, `textarea`, links, `.quiet`, `.hidden` (for screen readers only).
 */
export const controlStyles = unsafeCSS(styles);
