import type { Json } from '@keyhost/spi';
import { compileSchema } from '../config/json/schema-check.js';

/** Requested claims by name, each with its acceptable values; null: any value. */
export type WantedClaims = Readonly<Record<string, readonly Json[] | null>>;

/**
 * The requested claims by destination (OpenID Connect Core §5.5). This is plain data, stored with the client session.
 */
export interface ClaimsByDestination {
  readonly idToken?: WantedClaims;
  readonly userinfo?: WantedClaims;
  /** The values of essential claims of the ID token with a single acceptable value. A mapper returns them. */
  readonly idTokenValues?: Readonly<Record<string, Json>>;
}

/** A parsed `claims` parameter. */
export interface RequestedClaims {
  /** The acceptable values of an essential `acr` in the ID token; undefined: any. */
  readonly essentialAcr: readonly string[] | undefined;
  /** The preferred values of a voluntary `acr` in the ID token. */
  readonly voluntaryAcr: readonly string[];
  /** The required subject of the ID token. */
  readonly subject: string | undefined;
  /** Undefined if no claims are requested. */
  readonly wanted: ClaimsByDestination | undefined;
}

interface RequestedClaim<T extends Json = Json> {
  readonly essential?: boolean;
  readonly value?: T;
  readonly values?: readonly T[];
}

type ClaimMembers = Readonly<Record<string, RequestedClaim | null>>;

interface ClaimsParameter {
  readonly id_token?: ClaimMembers & {
    readonly acr?: RequestedClaim<string> | null;
    readonly sub?: RequestedClaim<string> | null;
  };
  readonly userinfo?: ClaimMembers;
}

/** The client session note with the claims that the login requested. */
const CLAIMS_NOTE = 'keyhost.claims';

const STRING = { type: 'string' } as const;
const claimsSchema = (properties: object) => ({
  type: 'object',
  properties,
  additionalProperties: {
    type: ['object', 'null'],
    properties: { essential: { type: 'boolean' }, values: { type: 'array' } },
  },
});
const textClaimSchema = {
  type: ['object', 'null'],
  properties: { essential: { type: 'boolean' }, value: STRING, values: { type: 'array', items: STRING } },
};
/** The `claims` parameter (OpenID Connect Core §5.5). */
const PARAMETER_SCHEMA = {
  type: 'object',
  properties: { id_token: claimsSchema({ acr: textClaimSchema, sub: textClaimSchema }), userinfo: claimsSchema({}) },
};

/**
 * Parses a `claims` parameter.
 * @returns undefined if it is invalid
 */
export function readRequestedClaims(parameter: string): RequestedClaims | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(parameter);
  } catch {
    return undefined;
  }
  if (!compileSchema(PARAMETER_SCHEMA)(parsed)) return undefined;
  const { id_token: idToken, userinfo } = parsed as ClaimsParameter;
  const { acr, sub } = idToken ?? {};
  const values = acr?.values ?? (acr?.value === undefined ? undefined : [acr.value]);
  const wanted = { ...byName('idToken', idToken), ...byName('userinfo', userinfo), ...essentialValues(idToken) };
  return {
    essentialAcr: acr?.essential === true ? values : undefined,
    voluntaryAcr: (acr?.essential === true ? undefined : values) ?? [],
    subject: sub?.value,
    wanted: Object.keys(wanted).length === 0 ? undefined : wanted,
  };
}

/** The client session notes that store these claims. */
export function claimsNote(wanted: ClaimsByDestination | undefined): Readonly<Record<string, string>> {
  return wanted === undefined ? {} : { [CLAIMS_NOTE]: JSON.stringify(wanted) };
}

/** The claims that a login requested, from the notes of its client session. */
export function requestedClaimsOf(notes: Readonly<Record<string, string>> | undefined): ClaimsByDestination {
  const note = notes?.[CLAIMS_NOTE];
  return note === undefined ? {} : (JSON.parse(note) as ClaimsByDestination);
}

function essentialValues(members: ClaimMembers = {}): ClaimsByDestination {
  const values = Object.entries(members).flatMap(([name, request]): [string, Json][] =>
    request?.essential === true && request.value !== undefined ? [[name, request.value]] : [],
  );
  return values.length === 0 ? {} : { idTokenValues: Object.fromEntries(values) };
}

/**
 * The acceptable values by claim. Essential claims are handled like voluntary ones: a missing claim is no error
 * (§5.5.1).
 */
function byName(destination: keyof ClaimsByDestination, members: ClaimMembers | undefined): ClaimsByDestination {
  const entries = Object.entries(members ?? {}).map(([name, request]): [string, readonly Json[] | null] => [
    name,
    request?.values ?? (request?.value === undefined ? null : [request.value]),
  ]);
  return entries.length === 0 ? {} : { [destination]: Object.fromEntries(entries) };
}
