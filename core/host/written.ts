/** Resolves when the text has left the process; rejects where nobody reads it. */
export function written(text: string): Promise<void> {
  return new Promise((done, failed) => process.stdout.write(text, (error) => (error == null ? done() : failed(error))));
}
