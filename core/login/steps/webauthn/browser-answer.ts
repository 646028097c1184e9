import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

type Answer = Readonly<Record<string, unknown>>;

/** An AuthenticationResponseJSON, whose contents are yet to be verified; undefined when the text has not its shape. */
export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const answer = read(text, ['clientDataJSON', 'authenticatorData', 'signature']);
  if (answer === undefined) return undefined;
  const { userHandle } = answer.response;
  if (userHandle != null && typeof userHandle !== 'string') return undefined;
  // What the type promises besides is verified by whoever takes the answer.
  return answer as unknown as AuthenticationResponseJSON;
}

/** A RegistrationResponseJSON, whose contents are yet to be verified; undefined when the text has not its shape. */
export function readRegistration(text: string): RegistrationResponseJSON | undefined {
  return read(text, ['clientDataJSON', 'attestationObject']) as unknown as RegistrationResponseJSON | undefined;
}

/** Pages of the host are framed by nobody: what was signed in a frame of another origin was not signed on one of them. */
export function requireOwnPage(clientDataJSON: string): void {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown };
  if (crossOrigin === true) throw new Error('it was made in a frame of another origin');
}

function read(text: string, members: readonly string[]): (Answer & { readonly response: Answer }) | undefined {
  let answer: Answer | null;
  try {
    answer = JSON.parse(text) as Answer | null;
  } catch {
    return undefined;
  }
  const response = answer?.response as Answer | null | undefined;
  if (answer === null || typeof answer.id !== 'string' || typeof response !== 'object' || response === null) {
    return undefined;
  }
  return members.every((name) => typeof response[name] === 'string') ? { ...answer, response } : undefined;
}
