import { MASK } from '../../model/mask.js';

/** Parameters that would let a reader act as the client or as a user. Plugins see only that they are present. */
const SECRETS: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'password',
  'totp',
  'otp',
  'code',
  'code_verifier',
  'device_code',
  'user_code',
  'refresh_token',
  'access_token',
  'token',
  'subject_token',
  'actor_token',
  'assertion',
  'id_token_hint',
]);

/** Parameters of OAuth that are secret in no grant. */
const NEVER_SECRET: ReadonlySet<string> = new Set([
  'grant_type',
  'client_id',
  'client_assertion_type',
  'scope',
  'audience',
  'resource',
  'requested_token_type',
  'subject_token_type',
  'actor_token_type',
]);

/** Masks the values of parameters with an unknown meaning, so that readers see only their names. */
export function* maskUnknown(
  entries: Iterable<readonly [name: string, value: string]>,
): Iterable<readonly [name: string, value: string]> {
  for (const [name, value] of entries) yield [name, NEVER_SECRET.has(name) || value === '' ? value : MASK];
}

/**
 * Returns the parameters of a request as plugins see them: the first value of each, with secrets masked.
 * @param proofs names of additional parameters by which the client authenticates
 */
export function parametersForPlugins(
  entries: Iterable<readonly [name: string, value: string]>,
  proofs: readonly string[],
): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) {
    const isSecret = SECRETS.has(name) || proofs.includes(name);
    parameters[name] ??= isSecret && value !== '' ? MASK : value;
  }
  return parameters;
}
