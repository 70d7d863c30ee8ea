/**
 * Asks for a graphics device and lets go of it again. That a context knows `navigator.gpu` proves nothing:
 * drivers, block lists and the kind of worker decide.
 * @returns a description of the adapter in a few words, or null where there is no device.
 */
export async function probeGpu(): Promise<string | null> {
  try {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return null;
    const device = await adapter.requestDevice();
    device.destroy();
    const { description, vendor, architecture } = adapter.info;
    return description || [vendor, architecture].filter(Boolean).join(' ') || 'graphics adapter';
  } catch {
    return null;
  }
}
