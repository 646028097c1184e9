/** Writes the text to standard output. Resolves when it was written; rejects if the output has no reader. */
export function flushStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error == null ? resolve() : reject(error))),
  );
}
