import { svg, type SVGTemplateResult } from 'lit';

/** Icons of parts that are loaded after the page is drawn. */
export const laterIcons = {
  copy: svg`<rect x="9" y="9" width="11" height="11" rx="2" /><path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3" />`,
  check: svg`<path d="m5 13 4.5 4.5L19 7" />`,
  retry: svg`<path d="M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4" />`,
  resume: svg`<path d="M7 5v14M11 6l8 6-8 6z" />`,
  previous: svg`<path d="m14 6-6 6 6 6" />`,
  next: svg`<path d="m10 6 6 6-6 6" />`,
  keyboard: svg`<rect x="3" y="6" width="18" height="12" rx="2" /><path d="M7 10h.01M11 10h.01M15 10h.01M8 14h8" />`,
  columns: svg`<rect x="4" y="5" width="7" height="14" rx="1.5" /><rect x="13" y="5" width="7" height="14" rx="1.5" />`,
  speaker: svg`<path d="M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11" />`,
  tool: svg`<path d="M14.5 6.5a4 4 0 0 0 5 5L11 20a2.5 2.5 0 0 1-3.5-3.5zM14.5 6.5 17 4a4 4 0 0 1 3.5 3.5L18 10" />`,
  info: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 11v5M12 8h.01" />`,
  warning: svg`<path d="M12 4 3 19h18zM12 10v4M12 16.5h.01" />`,
} as const satisfies Record<string, SVGTemplateResult>;
