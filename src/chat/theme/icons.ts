import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

/** The icons of what is drawn first. `later-icons.ts` has those of parts that are loaded later. */
const SHAPES = {
  plus: svg`<path d="M12 5v14M5 12h14" />`,
  search: svg`<circle cx="11" cy="11" r="6" /><path d="m16 16 4 4" />`,
  menu: svg`<path d="M4 7h16M4 12h16M4 17h10" />`,
  more: svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="2.6" />`,
  pin: svg`<path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" />`,
  pencil: svg`<path d="m5 19 1-4L16 5l3 3L9 18zM14 7l3 3" />`,
  trash: svg`<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5" />`,
  stop: svg`<rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor" />`,
  send: svg`<path d="M12 19V6M6 11.5 12 5.5l6 6" />`,
  down: svg`<path d="m6 10 6 6 6-6" />`,
  sliders: svg`<path d="M4 8h8M16 8h4M4 16h4M12 16h8" /><circle cx="14" cy="8" r="2" /><circle cx="10" cy="16" r="2" />`,
  gear: svg`<circle cx="12" cy="12" r="3" /><path d="M12 3.5v3M12 17.5v3M20.5 12h-3M6.5 12h-3M18 6l-2.100 2.100M8.100 15.900 6 18M18 18l-2.100-2.100M8.100 8.100 6 6" />`,
  download: svg`<path d="M12 4v11M7 11l5 5 5-5M5 20h14" />`,
  upload: svg`<path d="M12 16V5M7 9l5-5 5 5M5 20h14" />`,
  print: svg`<path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z" />`,
  chat: svg`<path d="M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z" />`,
  temporary: svg`<path stroke-dasharray="3 2.4" d="M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z" />`,
  folder: svg`<path d="M4 7a1 1 0 0 1 1-1h4.5l2 2.5H19a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z" />`,
  chip: svg`<rect x="7" y="7" width="10" height="10" rx="2" /><path d="M10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4" />`,
  code: svg`<path d="m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14" />`,
  shield: svg`<path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6zM9 12l2.2 2.2L15 10" />`,
  paperclip: svg`<path d="m19 11-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.3a3 3 0 0 1 4.2 4.2l-7.7 7.7a1.5 1.5 0 0 1-2.1-2.1L14.5 7" />`,
  close: svg`<path d="M6 6l12 12M18 6 6 18" />`,
} as const satisfies Record<string, SVGTemplateResult>;

/** Name of an icon, or one of `later-icons.ts`. */
export type Icon = keyof typeof SHAPES | SVGTemplateResult;

/** A line icon in the text colour, 20 pixels large, hidden from assistive technology. */
export function icon(symbol: Icon): TemplateResult {
  return html`<svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    style="flex:none"
  >
    ${typeof symbol === 'string' ? SHAPES[symbol] : symbol}
  </svg>`;
}

/**
 * A square icon button with its label as accessible name and tooltip.
 * @param press Where another button may come into its place, it leaves out the second click of a double click: `detail` is 2.
 */
export function iconButton(
  symbol: Icon,
  label: string,
  press: (click: MouseEvent) => void,
  disabled = false,
): TemplateResult {
  return html`<button type="button" class="icon" aria-label=${label} title=${label} ?disabled=${disabled} @click=${press}>
    ${icon(symbol)}
  </button>`;
}
