import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

type Answer = Readonly<Record<string, unknown>>;

/** An AuthenticationResponseJSON whose contents are not verified yet; undefined if the JSON has another shape. */
export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const answer = read(text, ['clientDataJSON', 'authenticatorData', 'signature']);
  if (answer === undefined) return undefined;
  const { userHandle } = answer.response;
  if (userHandle != null && typeof userHandle !== 'string') return undefined;
  // The caller verifies the rest of the type.
  return answer as unknown as AuthenticationResponseJSON;
}

/** A RegistrationResponseJSON whose contents are not verified yet; undefined if the JSON has another shape. */
export function readRegistration(text: string): RegistrationResponseJSON | undefined {
  return read(text, ['clientDataJSON', 'attestationObject']) as unknown as RegistrationResponseJSON | undefined;
}

/** Rejects answers that were signed in a frame of another origin: the host's pages cannot be framed. */
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
