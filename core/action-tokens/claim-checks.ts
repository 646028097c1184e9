import type { ActionTokenHandlerDeclaration, JsonObject } from '@keyhost/spi';
import type { Ajv, ValidateFunction } from 'ajv';
import type { RegisteredProvider } from '../registry/registry.js';

/** Claims that every action token has: a handler's own are all the others. */
const STANDARD_CLAIMS = new Set(['exp', 'iat', 'nbf', 'jti', 'iss', 'aud', 'sub', 'typ', 'nonce', 'asid', 'azp']);

/** The handlers' claim schemas, compiled once. */
export class ClaimChecks {
  readonly #ajv: Ajv;
  readonly #checks = new WeakMap<object, ValidateFunction>();

  constructor(ajv: Ajv) {
    this.#ajv = ajv;
  }

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
    let check = this.#checks.get(schema);
    if (check === undefined) {
      check = this.#ajv.compile(schema);
      this.#checks.set(schema, check);
    }
    return check(claims) ? undefined : this.#ajv.errorsText(check.errors, { dataVar: 'claims' });
  }
}
