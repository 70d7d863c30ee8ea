import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of `/proc` per second. */
const TICKS = 100;

/** A running process of Linux. */
interface Process {
  readonly id: string;
  /** Milliseconds that it has computed. */
  readonly time: number;
}

/** Returns the processes of a session, such as those of a browser; none where `/proc` is missing. */
export function processesOf(session: number): readonly Process[] {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.map((id) => processOf(id, session)).filter((process) => process !== null);
  } catch {
    return [];
  }
}

/** Bytes of main memory that a session uses, each shared page counted once; null if the system does not tell. */
export function memoryOf(session: number): number | null {
  let bytes = 0;
  for (const { id } of processesOf(session)) {
    const kilobytes = /^Pss: +(\d+) kB$/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1];
    bytes += Number(kilobytes ?? 0) * 1024;
  }
  return bytes === 0 ? null : bytes;
}

function processOf(id: string, session: number): Process | null {
  const status = read(`/proc/${id}/stat`);
  // The name, in brackets, may contain anything; behind it come state, parent, group, session, and so on.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  if (Number(fields[3]) !== session) return null;
  return { id, time: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS };
}

/** Returns the text of a file; empty if its process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
