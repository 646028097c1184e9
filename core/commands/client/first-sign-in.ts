import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import type { ProcessExit } from '../../host/process-exit.js';

/** The server's counts of sign-ins to a client in the last 24 hours. */
export interface SignIns {
  /** Sign-ins after which the app fetched its tokens. */
  readonly connected: number;
  readonly failures: readonly { readonly error: string; readonly count: number }[];
}

const POLL_MS = 1_000;

/** Advice for errors that a new app often causes. */
const HINTS: Readonly<Record<string, string>> = {
  invalid_redirect_uri: 'the app sends another redirect URI than the client has',
  invalid_client_credentials: 'the app sends another client secret',
  invalid_user_credentials: 'the username or the password is wrong; the app works so far',
  user_not_found: 'the username or the password is wrong; the app works so far',
};

/**
 * Waits for the first sign-in to a new client, and reports failures meanwhile. Ctrl+C ends the command; the client
 * stays.
 * @param read gets the counts from the server
 * @param before the counts before the client was created, since a deleted client may have had its client ID
 * @param seconds the timeout
 * @param exit ends the process on a signal
 * @throws BootError `sign_in_failed` on a timeout
 */
export async function waitForSignIn(
  clientId: string,
  read: () => Promise<SignIns>,
  { before, seconds, isMachine, exit }: { before: SignIns; seconds: number; isMachine: boolean; exit: ProcessExit },
): Promise<void> {
  const event = isMachine ? 'first token' : 'first sign-in';
  const removeExitMessage = exit.onImmediateExit(() =>
    process.stderr.write(`Stopped waiting. The client ${clientId} stays.\n`),
  );
  process.stderr.write(
    `\nWaiting for the ${event} of ${clientId}, for at most ${seconds} seconds. Ctrl+C stops waiting.\n`,
  );
  try {
    const knownFailures = new Map(before.failures.map(({ error, count }) => [error, count]));
    for (let waited = 0; waited < seconds * 1000; waited += POLL_MS) {
      const { connected, failures } = await read();
      if (connected > before.connected)
        return void process.stdout.write(`The ${event} has arrived: ${clientId} is connected.\n`);
      for (const { error, count } of failures) {
        if (count > (knownFailures.get(error) ?? 0)) process.stderr.write(failureText(error));
        knownFailures.set(error, count);
      }
      await sleep(POLL_MS);
    }
  } finally {
    removeExitMessage();
  }
  throw new BootError('sign_in_failed', `the ${event} of ${clientId} has not arrived within ${seconds} seconds`, {
    hint: 'the client exists: start the app, and look at the events of the realm',
  });
}

function failureText(error: string): string {
  const hint = HINTS[error];
  return `A sign-in failed: ${error}${hint === undefined ? '' : `: ${hint}`}\n`;
}
