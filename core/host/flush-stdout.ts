/** Resolves when the text has left the process; rejects if the output has no reader. */
export function flushStdout(text: string): Promise<void> {
  return new Promise((done, failed) => process.stdout.write(text, (error) => (error == null ? done() : failed(error))));
}
