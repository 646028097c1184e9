import { compileSchema } from '../config/schema-check.js';

/** What is acted on of a `claims` parameter. Everything else of it is ignored, as Keycloak ignores it. */
export interface RequestedClaims {
  /** The values of which an essential `acr` of the ID token must have one; undefined: any will do. */
  readonly essentialAcr: readonly string[] | undefined;
  /** The values that an `acr` of the ID token should have one of. */
  readonly voluntaryAcr: readonly string[];
  /** Whom the ID token must be about. */
  readonly subject: string | undefined;
}

interface Requested {
  readonly essential?: boolean;
  readonly value?: string;
  readonly values?: readonly string[];
}

const TEXT = { type: 'string' } as const;
const claims = (properties: object) => ({
  type: 'object',
  properties,
  additionalProperties: { type: ['object', 'null'], properties: { essential: { type: 'boolean' } } },
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
  const { acr, sub } = (given as { id_token?: { acr?: Requested | null; sub?: Requested | null } }).id_token ?? {};
  const values = acr?.values ?? (acr?.value === undefined ? undefined : [acr.value]);
  return {
    essentialAcr: acr?.essential === true ? values : undefined,
    voluntaryAcr: (acr?.essential === true ? undefined : values) ?? [],
    subject: sub?.value,
  };
}
