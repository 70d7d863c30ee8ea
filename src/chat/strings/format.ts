const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes as a person reads them, in thousands as disks and networks are sold: `1.2 GB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return 'an unknown amount';
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** Seconds as the two largest units: `1 h 5 min`, `2 min`, `12 s`. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'a long time';
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A number of parameters: `1.5 billion`, `360 million`. */
export function formatCount(count: number): string {
  if (count >= 1e9) return `${Number((count / 1e9).toFixed(1))} billion`;
  return `${Math.round(count / 1e6)} million`;
}
