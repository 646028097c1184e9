import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks for a text on the terminal without showing it. Returns undefined for an empty text. */
export async function askPassword(question: string): Promise<string | undefined> {
  process.stderr.write(question);
  const discardedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: discardedOutput, terminal: true });
  try {
    return (await terminal.question('')) || undefined;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
