/**
 * Protections of tokens and requests that a server with support for them enforces (RFC 8705 §3.4, RFC 9101 §10.5, RFC
 * 9449 §5.2). Keyhost lacks them. Without the requested protection a client would be exposed to the very attack, so the
 * registration is refused.
 */
const PROTECTIONS = [
  'dpop_bound_access_tokens',
  'tls_client_certificate_bound_access_tokens',
  'require_signed_request_object',
] as const;
/** Values that request nothing. */
const NOTHING: readonly unknown[] = [null, undefined, false, 'false', '', 'none', 'any'];
/** Members of a client's configuration that come from the server and are sent back in a change (RFC 7592 §2.2). */
const OF_ANSWERS = [
  'client_id_issued_at',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
];

type Metadata = Readonly<Record<string, unknown>>;

/** The first requested protection that Keyhost lacks; undefined if none is requested. */
export function unsupportedProtection(metadata: Metadata): string | undefined {
  return PROTECTIONS.find((name) => requestsSomething(metadata[name]));
}

/**
 * Names of the members that Keyhost ignores, as RFC 7591 §2 requires for metadata that a server does not understand.
 * @param known the members that are read
 */
export function ignoredMetadata(metadata: Metadata, known: object): string[] {
  const isIgnored = (name: string) =>
    !Object.hasOwn(known, name) && !OF_ANSWERS.includes(name) && requestsSomething(metadata[name]);
  return Object.keys(metadata).filter(isIgnored);
}

function requestsSomething(value: unknown): boolean {
  return !NOTHING.includes(value) && !(Array.isArray(value) && value.length === 0);
}
