/** Why a server could not listen, as a sentence that says what to do. */
export function explainListenError(error: unknown, host: string, port: number): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/in use|EADDRINUSE/.test(text)) return `Port ${port} is taken: stop what uses it, or choose another with --port.`;
  if (/EACCES/.test(text))
    return `Port ${port} needs more rights than this user has: choose one from 1024 on with --port.`;
  if (/ENOTFOUND|EADDRNOTAVAIL/.test(text)) return `${host} is not an address of this machine: correct --host.`;
  return `The server could not listen on ${host}:${port}: ${text}`;
}
