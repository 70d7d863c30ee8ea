/** Whether a file is a PDF. Other bytes may precede its first line. */
export async function isPdf(file: Blob): Promise<boolean> {
  return (await file.slice(0, 1024).text()).includes('%PDF-');
}
