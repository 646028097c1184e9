import type { Json } from '@keyhost/spi';
import { compileSchema } from '../config/json/schema-check.js';

/** Claims by name, each with its acceptable values; null: any value. */
export type WantedClaims = Readonly<Record<string, readonly Json[] | null>>;

/** The requested claims by destination (OpenID Connect Core §5.5): plain data, stored with the client session. */
export interface ClaimsByAnswer {
  readonly idToken?: WantedClaims;
  readonly userinfo?: WantedClaims;
  /** Values of essential claims of the ID token that name a single value, for the mapper that returns them. */
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
  readonly wanted: ClaimsByAnswer | undefined;
}

interface Requested<T extends Json = Json> {
  readonly essential?: boolean;
  readonly value?: T;
  readonly values?: readonly T[];
}

type Members = Readonly<Record<string, Requested | null>>;

interface ClaimsParameter {
  readonly id_token?: Members & { readonly acr?: Requested<string> | null; readonly sub?: Requested<string> | null };
  readonly userinfo?: Members;
}

/** The client session note with the claims that its login requested. */
const NOTE = 'keyhost.claims';

const TEXT = { type: 'string' } as const;
const claims = (properties: object) => ({
  type: 'object',
  properties,
  additionalProperties: {
    type: ['object', 'null'],
    properties: { essential: { type: 'boolean' }, values: { type: 'array' } },
  },
});
const ofText = {
  type: ['object', 'null'],
  properties: { essential: { type: 'boolean' }, value: TEXT, values: { type: 'array', items: TEXT } },
};
/** OpenID Connect Core §5.5. */
const SCHEMA = {
  type: 'object',
  properties: { id_token: claims({ acr: ofText, sub: ofText }), userinfo: claims({}) },
};

/** Reads a `claims` parameter. @returns undefined if it is invalid */
export function readRequestedClaims(parameter: string): RequestedClaims | undefined {
  let given: unknown;
  try {
    given = JSON.parse(parameter);
  } catch {
    return undefined;
  }
  if (!compileSchema(SCHEMA)(given)) return undefined;
  const { id_token: idToken, userinfo } = given as ClaimsParameter;
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

/** The notes of a client session for these claims. */
export function claimsNote(wanted: ClaimsByAnswer | undefined): Readonly<Record<string, string>> {
  return wanted === undefined ? {} : { [NOTE]: JSON.stringify(wanted) };
}

/** The claims that a login requested, from the notes of its client session. */
export function wantedClaims(notes: Readonly<Record<string, string>> | undefined): ClaimsByAnswer {
  const note = notes?.[NOTE];
  return note === undefined ? {} : (JSON.parse(note) as ClaimsByAnswer);
}

function essentialValues(members: Members = {}): ClaimsByAnswer {
  const values = Object.entries(members).flatMap(([name, asked]): [string, Json][] =>
    asked?.essential === true && asked.value !== undefined ? [[name, asked.value]] : [],
  );
  return values.length === 0 ? {} : { idTokenValues: Object.fromEntries(values) };
}

/** Essential claims are handled like voluntary ones: a missing one is no error (§5.5.1). */
function byName(answer: keyof ClaimsByAnswer, members: Members | undefined): ClaimsByAnswer {
  const entries = Object.entries(members ?? {}).map(([name, asked]): [string, readonly Json[] | null] => [
    name,
    asked?.values ?? (asked?.value === undefined ? null : [asked.value]),
  ]);
  return entries.length === 0 ? {} : { [answer]: Object.fromEntries(entries) };
}
