import type { Json } from '@keyhost/spi';
import { compileSchema } from '../config/json/schema-check.js';

/** Claims by name, each with the values of which it must have one; null: whatever it says. */
export type WantedClaims = Readonly<Record<string, readonly Json[] | null>>;

/** Where claims are asked for (OpenID Connect Core §5.5): plain data, kept with the client's part in the login. */
export interface ClaimsByAnswer {
  readonly idToken?: WantedClaims;
  readonly userinfo?: WantedClaims;
  /** The single values of essential claims of the ID token, by name: for the mapper that gives them back. */
  readonly idTokenValues?: Readonly<Record<string, Json>>;
}

/** A `claims` parameter. */
export interface RequestedClaims {
  /** The values of which an essential `acr` of the ID token must have one; undefined: any will do. */
  readonly essentialAcr: readonly string[] | undefined;
  /** The values that an `acr` of the ID token should have one of. */
  readonly voluntaryAcr: readonly string[];
  /** Whom the ID token must be about. */
  readonly subject: string | undefined;
  /** Undefined: none. */
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

/** The note of a client session that keeps what its login asked for. */
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

/** Reads a `claims` parameter. @returns undefined when it is none */
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

/** As notes of a client session. */
export function claimsNote(wanted: ClaimsByAnswer | undefined): Readonly<Record<string, string>> {
  return wanted === undefined ? {} : { [NOTE]: JSON.stringify(wanted) };
}

/** What a login asked for, by the notes of its client session. */
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

/** Claims that are essential are given as the others are: it is no error when there are none (§5.5.1). */
function byName(answer: keyof ClaimsByAnswer, members: Members | undefined): ClaimsByAnswer {
  const entries = Object.entries(members ?? {}).map(([name, asked]): [string, readonly Json[] | null] => [
    name,
    asked?.values ?? (asked?.value === undefined ? null : [asked.value]),
  ]);
  return entries.length === 0 ? {} : { [answer]: Object.fromEntries(entries) };
}
