import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

type JsonMembers = Readonly<Record<string, unknown>>;

/** Parses an AuthenticationResponseJSON without verifying its contents; undefined if the JSON has another shape. */
export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const answer = parseAnswer(text, ['clientDataJSON', 'authenticatorData', 'signature']);
  if (answer === undefined) return undefined;
  const { userHandle } = answer.response;
  if (userHandle != null && typeof userHandle !== 'string') return undefined;
  // The caller verifies the other members.
  return answer as unknown as AuthenticationResponseJSON;
}

/** Parses a RegistrationResponseJSON without verifying its contents; undefined if the JSON has another shape. */
export function readRegistration(text: string): RegistrationResponseJSON | undefined {
  return parseAnswer(text, ['clientDataJSON', 'attestationObject']) as unknown as RegistrationResponseJSON | undefined;
}

/**
 * Rejects an answer that was created in a frame of another origin, because the host's pages cannot be framed.
 * @throws Error with the reason
 */
export function requireOwnPage(clientDataJSON: string): void {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown };
  if (crossOrigin === true) throw new Error('it was made in a frame of another origin');
}

function parseAnswer(
  text: string,
  members: readonly string[],
): (JsonMembers & { readonly response: JsonMembers }) | undefined {
  let answer: JsonMembers | null;
  try {
    answer = JSON.parse(text) as JsonMembers | null;
  } catch {
    return undefined;
  }
  const response = answer?.response as JsonMembers | null | undefined;
  if (answer === null || typeof answer.id !== 'string' || typeof response !== 'object' || response === null) {
    return undefined;
  }
  return members.every((name) => typeof response[name] === 'string') ? { ...answer, response } : undefined;
}
