import type { TimedWedge } from '../chaos-result.ts';
import type { Wedge } from '../settle.ts';
import type { Recovery } from './await-recovery.ts';

/** Stuck tabs of a browser that was broken itself, with milliseconds since the run began. */
export interface DeadBrowser extends TimedWedge {
  /** When the first of its tabs stopped answering for good. */
  readonly since: number;
}

/** Whether the browser, not the site, is the cause. */
export function isDead({ unstartable }: Pick<Wedge, 'unstartable'>): boolean {
  return unstartable.length > 0;
}

/** Names the defect of the browser that recoveries waited for in vain. Without one they stay as they are. */
export function explainedBy(wedge: Wedge | null, recoveries: readonly Recovery[]): readonly Recovery[] {
  if (wedge === null || !isDead(wedge)) return recoveries;
  const defect = `the browser did not start: ${wedge.unstartable.join(', ')}`;
  return recoveries.map((recovery) =>
    recovery.gaveUp ? { ...recovery, defect: recovery.defect ?? defect } : recovery,
  );
}

/**
 * @param stopped When the run stopped waiting, in milliseconds since it began.
 * @param recoveries What it had waited for.
 */
export function deadSince(stopped: number, recoveries: readonly Recovery[]): number {
  return stopped - Math.max(0, ...recoveries.filter(({ gaveUp }) => gaveUp).map(({ time }) => time));
}
