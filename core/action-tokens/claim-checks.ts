import type { ActionTokenHandlerDeclaration, JsonObject } from '@keyhost/spi';
import { formatPath } from '../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../config/json/schema-check.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import { ISSUED_BY } from './link-issuer.js';

/** Claims that every action token has. All others belong to the handler. */
const STANDARD_CLAIMS = new Set([
  'exp',
  'iat',
  'nbf',
  'jti',
  'iss',
  'aud',
  'sub',
  'typ',
  'nonce',
  'asid',
  'azp',
  ISSUED_BY,
]);

/** Separates the handlers' own claims from the standard ones, and validates them. */
export class ClaimChecks {
  selectCustomClaims(payload: Readonly<Record<string, unknown>>): JsonObject {
    return Object.fromEntries(Object.entries(payload).filter(([name]) => !STANDARD_CLAIMS.has(name))) as JsonObject;
  }

  /**
   * Describes how the claims violate the handler's schema; undefined if they do not. A standard claim is a violation
   * too.
   */
  findProblem(
    handler: RegisteredProvider<ActionTokenHandlerDeclaration, unknown>,
    claims: JsonObject,
  ): string | undefined {
    const standard = Object.keys(claims).find((name) => STANDARD_CLAIMS.has(name));
    if (standard !== undefined) return `the claim ${standard} is the host's own`;
    const schema = handler.declaration.claims;
    if (schema === undefined) return undefined;
    const check = compileSchema(schema, { useDefaults: true });
    if (check(claims)) return undefined;
    return schemaProblems(check)
      .map(({ path, message }) => `claims ${formatPath(path)}: ${message}`)
      .join('; ');
  }
}
