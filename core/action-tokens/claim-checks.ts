import type { ActionTokenHandlerDeclaration, JsonObject } from '@keyhost/spi';
import { formatPath } from '../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../config/json/schema-check.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import { ISSUED_BY } from './link-issuer.js';

/** Claims that every action token has: a handler's own are all the others. */
const STANDARD_CLAIMS = new Set([
  ...['exp', 'iat', 'nbf', 'jti', 'iss', 'aud', 'sub', 'typ', 'nonce', 'asid', 'azp', ISSUED_BY],
]);

/** What handlers declare of their claims. */
export class ClaimChecks {
  /** The custom claims of a payload. */
  custom(payload: Readonly<Record<string, unknown>>): JsonObject {
    return Object.fromEntries(Object.entries(payload).filter(([name]) => !STANDARD_CLAIMS.has(name))) as JsonObject;
  }

  /** What the handler's schema has against the claims. A standard claim among them is refused too. */
  problem(handler: RegisteredProvider<ActionTokenHandlerDeclaration, unknown>, claims: JsonObject): string | undefined {
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
