/**
 * Protections of tokens and requests that Keyhost does not support, and that the server would have to enforce (RFC 8705
 * §3.4, RFC 9101 §10.5, RFC 9449 §5.2). Without the protection, the client would be exposed to the attack. So a
 * registration that requests one is rejected.
 */
const PROTECTIONS = [
  'dpop_bound_access_tokens',
  'tls_client_certificate_bound_access_tokens',
  'require_signed_request_object',
] as const;
/** Values that do not request anything. */
const EMPTY_VALUES: readonly unknown[] = [null, undefined, false, 'false', '', 'none', 'any'];
/** Members that responses contain, so that clients may send them back in a change (RFC 7592 §2.2). */
const RESPONSE_MEMBERS = [
  'client_id_issued_at',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
];

type Metadata = Readonly<Record<string, unknown>>;

/** The first requested protection that Keyhost lacks. Undefined if there is none. */
export function unsupportedProtection(metadata: Metadata): string | undefined {
  return PROTECTIONS.find((name) => isRequested(metadata[name]));
}

/**
 * Names of the members that are ignored, as RFC 7591 §2 requires for metadata that a server does not understand.
 * @param usedMembers the members that are used
 */
export function ignoredMetadata(metadata: Metadata, usedMembers: object): string[] {
  const isIgnored = (name: string) =>
    !Object.hasOwn(usedMembers, name) && !RESPONSE_MEMBERS.includes(name) && isRequested(metadata[name]);
  return Object.keys(metadata).filter(isIgnored);
}

function isRequested(value: unknown): boolean {
  return !EMPTY_VALUES.includes(value) && !(Array.isArray(value) && value.length === 0);
}
