/** Resolves when the text has left the process; rejects if the output has no reader. */
export function flushStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error == null ? resolve() : reject(error))),
  );
}
