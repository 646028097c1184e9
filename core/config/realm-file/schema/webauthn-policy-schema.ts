const STRING = { type: 'string' } as const;
const BOOLEAN = { type: 'boolean' } as const;
/** Keycloak's words for “the browser decides”. */
const UNSPECIFIED = ['not specified', ''] as const;
const LIST = { type: 'array', items: STRING } as const;

/** Keycloak's names of COSE algorithms. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'Ed25519', 'RS1'] as const;

const POLICY = {
  RpEntityName: STRING,
  RpId: { type: 'string', pattern: '^([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*)?$', mustBe: 'a host name, or empty' },
  SignatureAlgorithms: { type: 'array', items: { enum: ALGORITHMS } },
  AttestationConveyancePreference: { enum: [...UNSPECIFIED, 'none', 'indirect', 'direct', 'enterprise'] },
  AuthenticatorAttachment: { enum: [...UNSPECIFIED, 'platform', 'cross-platform'] },
  /** Deprecated in Keycloak 26.7. It counts if `ResidentKey` is not specified. */
  RequireResidentKey: { enum: [...UNSPECIFIED, 'Yes', 'No'] },
  ResidentKey: { enum: [...UNSPECIFIED, 'required', 'preferred', 'discouraged'] },
  UserVerificationRequirement: { enum: [...UNSPECIFIED, 'required', 'preferred', 'discouraged'] },
  /** In seconds; 0: the browser decides. */
  CreateTimeout: { type: 'integer', minimum: 0, maximum: 31_536 },
  AvoidSameAuthenticatorRegister: BOOLEAN,
  AcceptableAaguids: LIST,
  ExtraOrigins: LIST,
} as const;

type Policy = typeof POLICY;

/** The schemas of a realm's members for a WebAuthn policy. Their names begin with `prefix`. */
export function webAuthnPolicySchema<P extends string>(
  prefix: P,
): { readonly [K in keyof Policy as `${P}${K}`]: Policy[K] } {
  const keys = Object.entries(POLICY).map(([key, schema]) => [`${prefix}${key}`, schema]);
  return Object.fromEntries(keys) as { readonly [K in keyof Policy as `${P}${K}`]: Policy[K] };
}
